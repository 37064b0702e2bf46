"""Scenarios as data: what effects can do, packs and how they are read and checked, and the packs themselves."""
