"""Benchmarks:

`python -m benchmarks`. Each figure has a reference that is measured in the same run; see docs/performance.md.
"""
