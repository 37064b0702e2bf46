"""HTTP machinery that every endpoint shares."""
