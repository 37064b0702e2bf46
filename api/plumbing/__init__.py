"""HTTP functions that all endpoints share."""
