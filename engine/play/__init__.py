"""Recording and replay of logs: the rules of a game, the fold, the line, corrections, beliefs.

These modules use the following terms:

- *draft*: an event to record. *Entry*: an event or draft, as the rules read it.
- *line*: the entries in effect. Each entry is in a *slot*, or *place*, of the line. The number of a place never
  changes.
- *table*: a state of the game. If results are unknown, there are several *possible tables* (`engine.play.beliefs`).
- *sound* (of a table): possible, and the game can continue from it or is over.
- *slip*: an illegal action that the players took anyway.
- *broken* (of an entry): no longer legal or no longer possible, because a correction changed an earlier event.
"""
