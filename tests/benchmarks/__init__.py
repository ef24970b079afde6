"""Budgets of the design as ratios against a floor of the same run: `python -m tests.benchmarks`."""
