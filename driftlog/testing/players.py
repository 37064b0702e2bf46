"""Laws: a ruleset's computer player, if any, plays by the rules and uses only public information."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict, replace

from driftlog.testing.law import Sample, law
from engine.kit.chance import Stream
from engine.kit.piles import Pile
from engine.players import registry


@law("A player proposes legal actions while the game continues, whatever the order of the piles.")
def propose_legal_actions(sample: Sample) -> None:
    player = registry.players().get(sample.rules.id)
    for state, _ in sample.steps if player is not None else ():
        if player is None or state.outcome is not None or player.can_be_played(state) is not None:
            continue
        where = f"(turn {state.turn}, phase {state.phase!r})"
        for choose in (player.propose, player.ideas):
            proposals = choose(state, Stream(0))
            assert proposals, f"{player.name} proposes nothing {where}."
            for action, seat in proposals:
                refusal = action.refusal(state, seat)
                assert refusal is None, f"{player.name} proposes {action} {where}: {refusal and refusal.message}."
            others = choose(reverse_layers(state), Stream(0))
            assert list(others) == list(proposals), f"{player.name} depends on the order of a pile {where}."


def reverse_layers(state: Any) -> Any:
    """Return the state with the cards of each layer of a pile in reverse order."""
    piles = {name: value for name, value in asdict(state).items() if isinstance(value, Pile)}
    return replace(state, **{name: Pile(tuple(layer[::-1] for layer in pile.layers)) for name, pile in piles.items()})
