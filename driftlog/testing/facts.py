"""Laws: each fact has a sentence and exactly one JSON form, and all facts together describe the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from driftlog.testing.law import NAMES, Sample, law
from driftlog.testing.play import playout
from driftlog.testing.tables import TableSetup
from engine.core.errors import UnsoundTable
from engine.kit.facts import AnyFact, Tableau, Told
from engine.kit.rest import REST
from engine.kit.ruleset import AnyRuleset
from engine.play.corrections import facts, rest


def positions(table: TableSetup, seed: int) -> list[Any]:
    """Return the states of a random game before its end, without hidden data."""
    return [state for state, legal in playout(table, seed) if legal and is_open(table.rules, state)]


def is_open(rules: AnyRuleset, state: Any) -> bool:
    """Return True if everyone sees the whole state."""
    return rules.view(state, None) == rules.to_document(state)


def whole(rules: AnyRuleset, state: Any) -> list[AnyFact]:
    """Return all true facts of a state, as a report on the whole table."""
    return list(Tableau(rules.facts, state))


def sample_states(sample: Sample) -> Iterator[Any]:
    """Yield some states with facts."""
    if sample.rules.facts:
        yield from positions(sample.table, 1)[::9]


@law("Every fact has a sentence and exactly one JSON form.")
def have_words(sample: Sample) -> None:
    rules = sample.rules
    for state in sample_states(sample):
        found = whole(rules, state)
        documents = [facts.document(fact) for fact in found]
        read = rules.parse_facts(msgspec.json.decode(msgspec.json.encode(documents)), "")
        assert list(read) == found, f"facts change when they are written as JSON and read again: {documents}."
        assert len({fact.subject for fact in found}) == len(found), f"two facts have the same subject: {documents}."
        for fact in found:
            for said in (fact.sentence(NAMES), fact.no_longer(NAMES)):
                assert said.endswith((".", "!")), f"{fact} reads {said!r}."
            assert fact != fact.absent, f"`all` lists {fact}, which is the fact that its subject is absent."
            if fact.absent is not None:
                assert fact.absent.subject == fact.subject
                assert fact.absent.sentence(NAMES) != fact.sentence(NAMES), (
                    f"{fact} and its absence have the same sentence."
                )


@law("A table does not change if its own facts are reported.")
def change_nothing(sample: Sample) -> None:
    rules = sample.rules
    for state in sample_states(sample):
        found = whole(rules, state)
        assert rules.settled(state, Told(found)) == state, f"`settled` changes {state}."
        assert facts.whole(rules, NAMES, state, found) == state, f"the facts change {state}."


@law("If all facts of one table are reported about another, the tables become equal.")
def are_the_table(sample: Sample) -> None:
    rules, rng = sample.rules, sample.rng("facts")
    if not rules.facts:
        return
    met, others = positions(sample.table, 3), positions(sample.table, 4)
    for there in rng.sample(others, min(12, len(others))):
        here, photograph = rng.choice(met), whole(rules, there)
        try:
            correction = facts.resolve(rules, NAMES, here, photograph, is_whole=True)
        except UnsoundTable as error:
            raise AssertionError(f"{[one.sentence(NAMES) for one in photograph]} is refused: {error}") from error
        after = facts.apply_correction(rules, NAMES, here, correction)
        missing = set(photograph) ^ set(whole(rules, after))
        assert not missing, f"after the report, these facts are false or were not reported: {missing}."


@law("A fact about the rest covers everything that no other fact names.")
def speak_of_the_rest(sample: Sample) -> None:
    rules = sample.rules
    for state in sample_states(sample):
        for first, *others in filter(None, (list(kind.all(state)) for kind in rules.facts if kind.about)):
            absence = first if first.absent is None else first.absent
            report = facts.document(first), {**facts.document(absence), **dict.fromkeys(first.about, REST)}
            told, rests = rest.read(rules, report, len(NAMES), "")
            said = rest.spell_out(rules, rests, [state], told)
            assert {fact.subject for fact in said} == {fact.subject for fact in others}, f"{report} says {said}."
            assert {fact.content for fact in said} <= {absence.content}, f"{report} says {said}."
            try:
                correction = facts.resolve(rules, NAMES, state, told, others=partial(rest.spell_out, rules, rests))
            except UnsoundTable:
                continue
            after = Tableau(rules.facts, facts.apply_correction(rules, NAMES, state, correction))
            assert all(map(after.holds, (*told, *said))), f"{report} was accepted, but is not true afterwards."


@law("The page to start mid-game reports facts of the game, and each choice has a name.")
def can_be_entered(sample: Sample) -> None:
    rules, table = sample.rules, sample.table
    page = rules.late_page(rules.parse_options(table.options, table.seats), sample.names)
    parts = [part for step in page.steps for part in step.parts] if page else []
    groups = [part.group for part in parts]
    assert len(set(groups)) == len(groups), f"two parts of the page have the same title: {groups}."
    for part in parts:
        assert all(choice.label for choice in part.choices), f"{part.group!r} has a choice without a name."
        if part.report is None:
            continue
        for value in (*part.report.stock, *(part.range or ())):
            told = part.report.means.get(value, ({part.report.member: value},))
            if value != part.report.unknown:
                assert rules.parse_facts([part.report.facts[0] | told[0]], "")
