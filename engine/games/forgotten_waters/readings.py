"""What is read out, in words: each effect as a table says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.words import printed
from engine.kit.words import counted


def one_after_the_other(words: Sequence[str]) -> str:
    """'hull -2, 1 threat, then turn to page 12', or nothing."""
    return ", then ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def in_words(effect: Any) -> str:
    """An effect as a table says it; one without words of its own by its name."""
    said = _SAID.get(type(effect))
    return said(effect) if said is not None else printed(str(type(effect).__struct_config__.tag)).lower()


def _change(n: int) -> str:
    return f"{n:+d}".replace("-", "−")


def _set(name: str, n: int, to: int | None) -> str:
    return f"{name} {_change(n)}" if to is None else f"{name} to {to}"


def _space(effect: do.RemoveToken) -> str:
    return f"take the token off {effect.space or 'the ship’s space'}"


def _inner(effects: Sequence[Any]) -> str:
    return ", ".join(map(in_words, effects)) or "nothing"


def _who(effect: do.ForPlayers) -> str:
    who = {"all": "everybody", "others": "everybody else", "chosen": "a player of one’s choice"}
    return who.get(effect.who) or f"the {effect.who} in {effect.of.replace('skill:', '')}"


_SAID: dict[type[Any], Callable[[Any], str]] = {
    do.GainSkill: lambda effect: "gain " + (effect.skill if effect.n == 1 else f"{effect.n} times {effect.skill}"),
    do.FillStar: lambda effect: f"fill in {counted(effect.n, 'star')}",
    do.ResolveEvents: lambda _effect: "resolve constellation events",
    do.GainTreasure: lambda effect: f"gain {counted(effect.n, 'treasure')}",
    do.LoseTreasure: lambda effect: f"lose {counted(effect.n, 'treasure')}",
    do.BuryTreasure: lambda effect: f"bury up to {counted(effect.up_to, 'treasure')}",
    do.TakeStory: lambda effect: f"take {printed(effect.story)}",
    do.ReturnStory: lambda effect: f"return {printed(effect.story)}",
    do.GiveCard: lambda effect: f"give {printed(effect.card)} away",
    do.Rerolls: lambda effect: f"re-roll tokens {_change(effect.n)}",
    do.Misfortune: lambda effect: f"misfortune {_change(effect.n)}",
    do.Infamy: lambda effect: f"infamy {_change(effect.n)}",
    do.InfamyTo: lambda effect: f"infamy to the {effect.place}",
    do.Ship: lambda effect: _set(effect.stat, effect.n, effect.to),
    do.Maximum: lambda effect: f"the track of {effect.track} ends at {effect.to}",
    do.GainCannon: lambda effect: f"gain a level-{effect.level} cannon",
    do.UpgradeCannon: lambda effect: f"upgrade {counted(effect.n, 'cannon')}",
    do.LoadCannon: lambda effect: f"load {counted(effect.n, 'cannon')}",
    do.UnloadCannon: lambda effect: f"unload {counted(effect.n, 'cannon')}",
    do.LoseCannon: lambda effect: f"lose {counted(effect.n, 'cannon')}",
    do.Dial: lambda effect: _set(printed(effect.feature).lower(), effect.n, effect.to),
    do.Count: lambda effect: _set(printed(effect.counter).lower(), effect.n, effect.to),
    do.Threat: lambda effect: f"threat {_change(effect.n)}",
    do.Objective: lambda effect: f"the new objective {printed(effect.objective)}",
    do.Scout: lambda effect: f"scout {counted(effect.n, 'space')}",
    do.MoveShip: lambda effect: f"move the ship up to {counted(effect.n, 'space')}",
    do.PutShip: lambda effect: f"put the ship on {effect.space}",
    do.PlaceToken: lambda effect: f"put {printed(effect.token)} on {effect.space}",
    do.RemoveToken: _space,
    do.Lock: lambda effect: f"lock action {effect.action}",
    do.Unlock: lambda effect: f"unlock action {effect.action}",
    do.Check: lambda effect: f"check {effect.skill}",
    do.Roll: lambda _effect: "roll a die",
    do.Choose: lambda effect: f"choose: {' or '.join(option.name for option in effect.options)}",
    do.ForPlayers: lambda effect: f"for {_who(effect)}: {_inner(effect.effects)}",
    do.Read: lambda effect: f"read entry {effect.entry}",
    do.TurnPage: lambda effect: f"turn to page {effect.page}",
    do.NewRound: lambda _effect: "begin a new round on this page",
    do.CompletePart: lambda _effect: "a part is complete",
    do.ReachGoal: lambda _effect: "the goal is reached",
    do.SetDie: lambda effect: f"set the die to {effect.to}",
    do.AddToCheck: lambda effect: f"add {effect.n} to the check",
    do.CardIcon: lambda effect: f"{printed(effect.card)} has {effect.skill} {effect.n}",
}
