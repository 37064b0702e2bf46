"""Beliefs: the possible tables of a game in which some results are unknown.

These modules use the following terms:

- *table*: a state of the game. A *possible table* (`World`) agrees with everything that was reported. Its *weight*
  divided by the sum of all weights is its probability.
- *belief*: a state that represents all possible tables. A belief *lists* the tables, or it *counts* unknown cards if
  there are too many tables to list (`Pooled`).
- *draw*: a point at which the rules need a random result, such as a card or a roll (`ChancePoint`). A result that is
  reported as None is *unseen*, or unknown.
- *way*: an incomplete run of the rules up to an unseen draw, with assumed results for earlier draws (`worlds.Way`).
- *look*: the visible part of a table. Tables *look alike* if their looks are equal.
- *row*: a place with unknown cards, such as a player's hand, and the *hands* that the place can contain, each with a
  weight.
- *rest*: a table without the rows and the pile that a belief counts. If the rest is unknown, another belief describes
  it *beside* the first one. If that belief counts cards, too, each of the two is a *level*.
- *pile*: the face-down pile from which the rows were drawn. *Stock*: all cards in the rows and the pile.
- *sort*: cards that are all different, and as likely as each other in every place (`engine.play.beliefs.sorts`).
- *mark*: an entry at the end of a hand that links it to hands in other rows (`engine.play.beliefs.hands`).
- *read*: a rule reads a row if the rule compares face-down cards of the row. The cards of the compared kinds are the
  *part* of the hand that was read.
- *line*, *entry*, *slot*: the events in effect, one of these events, and its place in the line (`engine.play.line`).
"""
