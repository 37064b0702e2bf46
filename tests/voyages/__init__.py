"""Voyages: whole games of Forgotten Waters' own scenario by sensible players, and what became of them."""
