"""The laws that every ruleset must keep, and the random players that test them.

`pytest --driftlog-ruleset ID` checks an installed ruleset (see `driftlog.testing.plugin`).
"""
