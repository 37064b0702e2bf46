"""The rulebook's setup, rounds and effects: the consequences of players' decisions."""
