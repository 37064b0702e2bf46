"""Laws: every state has a picture, and pictures and views contain no hidden data."""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import Any

import drawing
from driftlog.testing.law import Sample, law
from engine.core.values import MASKED


@law("Every state has a picture, a headline and an overview.")
def can_be_drawn(sample: Sample) -> None:
    rules, names = sample.rules, sample.names
    drawing.svg(rules.empty_board(names))
    for (state, _), layout in zip(sample.steps[::4], cycle(drawing.LAYOUTS), strict=False):
        scene = rules.board(state, names)
        twice = [id_ for id_, count in Counter(one.id for one in scene.elements()).items() if count > 1]
        assert twice == [], f"two elements have the id {twice}."
        assert scene.description, "the picture has no description."
        assert scene == rules.board(state, names), "the same state has two pictures."
        assert rules.headline(state, names), "the headline is empty."
        assert all(rules.overview(state, names).values()), "a row of the overview is empty."
        drawing.svg(scene, layout=layout)


@law("A view masks what the ruleset declares as hidden.")
def views_mask(sample: Sample) -> None:
    rules = sample.rules
    for state, _ in sample.steps:
        document = rules.to_document(state)
        for viewer in (None, *range(sample.table.seats)):
            view = rules.view(state, viewer)
            for part in rules.parts:
                shown, hidden = view[part.member], part.mask(document[part.member], viewer)
                assert shown == hidden, (
                    f"`view` for {_viewer_name(viewer)} shows {shown} as {part.title!r}, not {hidden}."
                )


@law("Pictures, overviews and facts show a viewer no more than the view does.")
def pictures_hide(sample: Sample) -> None:
    rules, names = sample.rules, sample.names
    for state, _ in sample.steps[::2]:
        document = rules.to_document(state)
        for viewer in (None, *range(sample.table.seats)):
            view = rules.view(state, viewer)
            if view == document or not is_blind(view):
                continue
            other = rules.from_document(alter_masked(document, view))
            said = f"for {_viewer_name(viewer)} shows data that the view masks."
            assert rules.board(other, names, viewer) == rules.board(state, names, viewer), f"the board {said}"
            if viewer is None:
                assert rules.overview(other, names) == rules.overview(state, names), f"the overview {said}"
                assert rules.headline(other, names) == rules.headline(state, names), f"the headline {said}"
            for kind in rules.facts:
                alike = list(kind.shown(other, viewer)) == list(kind.shown(state, viewer))
                assert alike, f"the fact {kind.tag()} {said}"


def is_blind(view: Any) -> bool:
    """Return True if `view` masks at least one value that `alter_masked` can replace."""
    if isinstance(view, dict):
        return view == MASKED or any(map(is_blind, view.values()))
    return isinstance(view, list | tuple) and any(map(is_blind, view))


def alter_masked(document: Any, view: Any) -> Any:
    """Return `document` with other values in the places that `view` masks."""
    if view == MASKED:
        return document + "x" if isinstance(document, str) else (document - 1 if document > 1 else document + 1)
    if isinstance(document, dict):
        return {key: alter_masked(value, view[key]) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [alter_masked(value, seen) for value, seen in zip(document, view, strict=True)]
    return document


def _viewer_name(viewer: int | None) -> str:
    return "the public" if viewer is None else f"p{viewer + 1}"
