"""Voyages: whole games of Forgotten Waters' own scenario and their results."""
