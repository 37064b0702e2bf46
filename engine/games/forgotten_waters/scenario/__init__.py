"""Scenarios as data: effects, scenario packs, and their loading and validation."""
