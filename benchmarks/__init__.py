"""Benchmarks, each with a reference that is measured beside it: `python -m benchmarks`; see docs/performance.md."""
