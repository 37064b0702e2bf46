"""Effects in words, for texts about the entries that players read out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.language import marked, say
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.words import effect_name, inline_name, printed_name, reference
from engine.kit.words import counted, join_words


def in_words(effect: Any) -> str:
    """Return an effect in words; if there are no words for the effect, its name."""
    said = _SAID.get(type(effect))
    return said(effect) if said is not None else effect_name(effect)


def as_task(effect: Any, name: str) -> str:
    """Return a clause about a player who must resolve an effect: 'Bo must fill in 1 star'."""
    if isinstance(effect, _STATEMENTS):
        return say("{name} must resolve this: {effect}", name=name, effect=in_words(effect))
    return say("{name} must {effect}", name=name, effect=in_words(effect))


def _change(n: int) -> str:
    return f"{n:+d}".replace("-", "−")


def _set(name: str, n: int, to: int | None) -> str:
    return f"{name} {_change(n)}" if to is None else say("{name} to {value}", name=name, value=to)


_PIRATES = {"all": marked("everybody"), "others": marked("everybody else"), "chosen": marked("a player of your choice")}


def _players_text(effect: do.ForPlayers) -> str:
    if effect.who in _PIRATES:
        return say(_PIRATES[effect.who])
    told = marked("the highest in {measure}") if effect.who == "highest" else marked("the lowest in {measure}")
    return say(told, measure=say(effect.of.removeprefix("skill:")))


def _skill(effect: do.GainSkill) -> str:
    if effect.skill == "any":
        return say("gain any") if effect.n == 1 else say("gain any skill {count} times", count=effect.n)
    text = marked("gain {skill}") if effect.n == 1 else marked("gain {skill} {count} times")
    return say(text, count=effect.n, skill=inline_name(effect.skill))


def _if(effect: do.If) -> str:
    if not effect.otherwise:
        return say("under a condition: {effects}", effects=join_words(map(in_words, effect.then)))
    told = {"effects": join_words(map(in_words, effect.then)), "others": join_words(map(in_words, effect.otherwise))}
    return say("under a condition: {effects}; otherwise: {others}", **told)


_SAID: dict[type[Any], Callable[[Any], str]] = {
    do.If: _if,
    do.Per: lambda effect: say("once or several times: {effects}", effects=join_words(map(in_words, effect.effects))),
    do.CheckOffEvent: lambda _effect: say("check off the next constellation event"),
    do.CheckThreat: lambda _effect: say("check the threat"),
    do.StopShip: lambda _effect: say("stop the ship"),
    do.ReadSpace: lambda _effect: say("read the entry of the ship’s space"),
    do.GainSkill: _skill,
    do.FillStar: lambda effect: say("fill in {stars}", stars=counted(effect.n, "star")),
    do.ResolveEvents: lambda _effect: say("resolve constellation events"),
    do.GainTreasure: lambda effect: say("gain {treasures}", treasures=counted(effect.n, "treasure")),
    do.StealTreasure: lambda _effect: say("take a treasure from another player"),
    do.SwapInfamy: lambda _effect: say("change places on the infamy track"),
    do.LoseTreasure: lambda effect: say("lose {treasures}", treasures=counted(effect.n, "treasure")),
    do.BuryTreasure: lambda effect: say("bury up to {treasures}", treasures=counted(effect.up_to, "treasure")),
    do.TakeStory: lambda effect: say("take {story}", story=printed_name(effect.story)),
    do.ReturnStory: lambda effect: say("return {story}", story=printed_name(effect.story)),
    do.GiveCard: lambda effect: say("give {card} away", card=printed_name(effect.card)),
    do.Rerolls: lambda effect: say("re-roll tokens {change}", change=_change(effect.n)),
    do.Misfortune: lambda effect: say("misfortune {change}", change=_change(effect.n)),
    do.Infamy: lambda effect: say("infamy {change}", change=_change(effect.n)),
    do.InfamyTo: lambda effect: say("infamy to the top") if effect.place == "top" else say("infamy to the bottom"),
    do.Ship: lambda effect: _set(inline_name(effect.stat), effect.n, effect.to),
    do.Maximum: lambda effect: say(
        "the track of {stat} ends at {value}", stat=inline_name(effect.track), value=effect.to
    ),
    do.GainCannon: lambda effect: say("gain a level-{level} cannon", level=effect.level),
    do.UpgradeCannon: lambda effect: say("upgrade {cannons}", cannons=counted(effect.n, "cannon")),
    do.LoadCannon: lambda effect: say("load {cannons}", cannons=counted(effect.n, "cannon")),
    do.UnloadCannon: lambda effect: say("unload {cannons}", cannons=counted(effect.n, "cannon")),
    do.LoseCannon: lambda effect: say("lose {cannons}", cannons=counted(effect.n, "cannon")),
    do.Dial: lambda effect: _set(inline_name(effect.feature), effect.n, effect.to),
    do.Count: lambda effect: _set(inline_name(effect.counter), effect.n, effect.to),
    do.Threat: lambda effect: say("threat {change}", change=_change(effect.n)),
    do.Objective: lambda effect: say("the new objective {objective}", objective=printed_name(effect.objective)),
    do.Scout: lambda effect: say("scout {spaces}", spaces=counted(effect.n, "space")),
    do.MoveShip: lambda effect: say("move the ship up to {spaces}", spaces=counted(effect.n, "space")),
    do.PutShip: lambda effect: say("put the ship on {space}", space=effect.space),
    do.PlaceToken: lambda effect: say("put {token} on {space}", token=printed_name(effect.token), space=effect.space),
    do.RemoveToken: lambda effect: (
        say("take the token off {space}", space=effect.space)
        if effect.space
        else say("take the token off the ship’s space")
    ),
    do.Lock: lambda effect: say("lock action {action}", action=effect.action),
    do.Unlock: lambda effect: say("unlock action {action}", action=effect.action),
    do.Check: lambda effect: say("check {skill}", skill=inline_name(effect.skill)),
    do.Roll: lambda _effect: say("roll a die"),
    do.Choose: lambda effect: say(
        "choose: {options}", options=say(" or ").join(say(option.name) for option in effect.options)
    ),
    do.ForPlayers: lambda effect: say(
        "for {pirates}: {effects}", pirates=_players_text(effect), effects=join_words(map(in_words, effect.effects))
    ),
    do.Read: lambda effect: say("read entry {entry}", entry=reference(effect.entry)),
    do.TurnPage: lambda effect: say("turn to page {page}", page=reference(effect.page)),
    do.NewRound: lambda _effect: say("begin a new round on this page"),
    do.CompletePart: lambda _effect: say("a part is complete"),
    do.ReachGoal: lambda _effect: say("the goal is reached"),
    do.SetDie: lambda effect: say("set the die to {value}", value=effect.to),
    do.AddToCheck: lambda effect: say("add {count} to the check", count=effect.n),
    do.CardIcon: lambda effect: say(
        "{card} has {skill} {count}", card=printed_name(effect.card), skill=inline_name(effect.skill), count=effect.n
    ),
}
_CHANGES = (do.Changing, do.InfamyTo, do.Ship, do.Maximum, do.Dial, do.Count, do.Objective)
_STATEMENTS = (*_CHANGES, do.If, do.Per, do.ForPlayers, do.CompletePart, do.ReachGoal, do.CardIcon)
"""Effects whose words do not tell a player what to do, such as 'hull −2'."""
