"""Views of the table: the picture, and the sheet for a saved game."""
