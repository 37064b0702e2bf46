"""Reviews of a log: turns, comparisons, versions, luck, the audit and its report.

Terms not defined in `engine.play`:

- *finding*: a problem that the audit reports. The *account* of a finding has what happened, what the rules require, and
  the effects.
- *move*: an action of a player.
"""
