"""Corrections: what a table amends, reveals and puts right, and what no longer stands."""
