"""Measurements, each beside its reference: `python -m benchmarks`, explained in docs/performance.md."""
