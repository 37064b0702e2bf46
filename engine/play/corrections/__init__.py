"""Corrections: amends, reveals and adjustments, and the events that they supersede."""
