"""The rulebook's set-up, rounds and effects: what follows from what was decided."""
