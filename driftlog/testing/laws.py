"""All laws."""

from __future__ import annotations

from driftlog.testing import actions, declarations, facts, games, pictures, players, records

AT_EACH_TABLE = (
    actions.can_be_taken,
    games.end_as_declared,
    games.are_sound,
    games.await_who_can_act,
    actions.are_listed_in_order,
    actions.others_are_refused,
    actions.chance_adds_up,
    actions.asks_chance,
    players.propose_legal_actions,
)
"""Laws about states; options and the number of seats can affect them, so they are checked at many tables."""

ONCE = (
    declarations.can_be_found,
    declarations.options_have_defaults,
    declarations.actions_are_declared,
    declarations.endings_have_sentences,
    declarations.is_json,
    declarations.values_have_words,
    declarations.phases_are_declared,
    declarations.columns_hold_their_type,
    facts.have_words,
    facts.speak_of_the_rest,
    facts.change_nothing,
    facts.are_the_table,
    facts.can_be_entered,
    pictures.can_be_drawn,
    pictures.views_mask,
    pictures.pictures_hide,
    records.check_round_trip,
    records.undo_restores,
)
"""Laws that are checked at only one table of a ruleset."""
