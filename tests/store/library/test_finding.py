"""The list of games: a filter finds exactly the matching games, newest first, page by page."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Draft, Fork, Seat
from engine.kit.chance import Seeded
from engine.play.record import open_game, record
from store import Store
from store.errors import BadCursor, Corrupt
from store.library import finding
from store.library.finding import Filter
from store.library.projections import Summary
from store.library.summaries import words
from store.redis import connection
from tests.playouts import clock

NAMES = ("Ada", "ada lovelace", "BO", "Ｃleo", "Straße", "Zoë", "x-ray")
TAGS = ("club night", "Liga", "2026")
START = datetime(2026, 11, 1, tzinfo=UTC)


def random_summary(number: int, rng: random.Random) -> Summary:
    ruleset = rng.choice(["forbidden-island", "forbidden-island-archaens"])
    opened_at = START + timedelta(hours=rng.randrange(300))
    return Summary(
        id=f"01m7{number:06}",
        ruleset=ruleset,
        ruleset_version="1",
        seats=tuple(rng.sample(NAMES, 3)),
        options={},
        status=rng.choice(["setup", "in_progress", "finished", "abandoned"]),
        version=7,
        turn=1,
        outcome=None,
        chance="seeded",
        mode="strict",
        tags=tuple(rng.sample(TAGS, rng.randrange(3))),
        opened_at=opened_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        updated_at=clock(7),
        head="",
        fork=Fork(game=f"parent-{number % 5}", at=2, hash="") if rng.random() < 0.2 else None,
    )


def fits(game: Summary, wanted: Filter) -> bool:
    """Return True if a game matches the filter, by the definition."""
    opened_at = datetime.fromisoformat(game.opened_at)
    asked = words(wanted.q) if wanted.q is not None else set()
    return (
        wanted.ruleset in {None, game.ruleset}
        and wanted.status in {None, game.status}
        and (wanted.player is None or wanted.player.casefold() in {name.casefold() for name in game.seats})
        and (wanted.tag is None or wanted.tag.casefold() in {tag.casefold() for tag in game.tags})
        and (wanted.parent is None or (game.fork is not None and wanted.parent == game.fork.game))
        and (wanted.from_ is None or opened_at >= wanted.from_)
        and (wanted.to is None or opened_at < wanted.to)
        and all(any(word.startswith(beginning) for word in game.words) for beginning in asked)
    )


def pages(store: Store, wanted: Filter, limit: int) -> list[list[Summary]]:
    found: list[list[Summary]] = []
    cursor: str | None = None
    while True:
        page, cursor = store.projections.find(wanted, cursor, limit)
        found.append(page)
        if cursor is None:
            return found


MOMENTS = st.none() | st.integers(-10, 310).map(lambda hours: START + timedelta(hours=hours))
FILTERS = st.builds(
    Filter,
    ruleset=st.sampled_from([None, None, "forbidden-island", "forbidden-island-archaens", "chess"]),
    status=st.sampled_from([None, None, "setup", "finished"]),
    player=st.sampled_from([None, None, "ADA", "bo", "STRASSE", "ad"]),
    tag=st.sampled_from([None, None, "LIGA", "Club Night", "club"]),
    parent=st.sampled_from([None, None, None, "parent-1", "parent-2", "nowhere"]),
    from_=MOMENTS,
    to=MOMENTS,
    q=st.sampled_from([None, None, None, "a", "ad", "ADA lov", "forb", "arch liga", "strasse", "2026 x", "zoë", "nix"]),
)


@pytest.fixture
def games(store: Store) -> Sequence[Summary]:
    """Write random games to the list, and return them, newest first."""
    rng = random.Random(0)
    games = [random_summary(number, rng) for number in range(300)]
    for game in rng.sample(games, len(games)):
        store.projections.write(game)
    return games[::-1]


def test_find_gives_what_fits_newest_first(store: Store, games: Sequence[Summary]) -> None:
    @given(FILTERS, st.sampled_from([7, 50, 1000]))
    def find(wanted: Filter, limit: int) -> None:
        found = pages(store, wanted, limit)
        assert [game for page in found for game in page] == [game for game in games if fits(game, wanted)]
        assert all(len(page) == limit for page in found[:-1])

    find()


def test_find_knows_no_bound(store: Store, games: Sequence[Summary], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LARGEST_PAGE", 4)
    for wanted in (Filter(q="zoë"), Filter(from_=START + timedelta(hours=250)), Filter(status="setup", tag="liga")):
        assert [game for page in pages(store, wanted, 3) for game in page] == [
            game for game in games if fits(game, wanted)
        ]


def test_a_text_without_a_word_is_found_nowhere(store: Store, games: Sequence[Summary]) -> None:
    assert store.projections.find(Filter(q="--")) == ([], None)


def test_cursors_are_for_one_filter_and_are_not_forged(store: Store, games: Sequence[Summary]) -> None:
    _, cursor = store.projections.find(Filter(status="setup"), limit=2)
    assert cursor is not None
    assert "=" not in cursor

    def encode_cursor(text: bytes) -> str:
        return base64.urlsafe_b64encode(text).decode()

    digest = msgspec.json.decode(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))["filter"]
    forged = [
        "",
        "x",
        "näh",
        "!!!!",
        cursor[:-2],
        cursor + "AAAA",
        encode_cursor(b"null"),
        encode_cursor(b"{}"),
        encode_cursor(b'{"after": 7, "filter": "%s"}' % digest.encode()),
        encode_cursor(b'{"after": "\xff", "filter": "%s"}' % digest.encode()),
        encode_cursor(b'{"after": "a", "filter": "0"}'),
    ]
    for bad in forged:
        with pytest.raises(BadCursor):
            store.projections.find(Filter(status="setup"), bad)
    with pytest.raises(BadCursor):
        store.projections.find(Filter(status="finished"), cursor)


def test_a_list_that_changes_meanwhile_repeats_nothing(store: Store) -> None:
    rng = random.Random(1)
    for number in range(10, 20):
        store.projections.write(random_summary(number, rng))
    first, cursor = store.projections.find(Filter(), limit=4)
    store.projections.write(random_summary(99, rng))
    second, _ = store.projections.find(Filter(), cursor, limit=50)
    assert [game.id for game in first + second] == [f"01m7{number:06}" for number in range(19, 9, -1)]


def test_names_match_in_any_case_and_width(store: Store) -> None:
    _, first = open_game(
        ruleset="forbidden-island",
        seats=[Seat("Straße"), Seat("Ａda Lovelace")],
        options={},
        seed=None,
        tags=["Club Night"],
        recorded_at="before our time",
    )
    store.events.open("g", [first], None)
    store.projections.project("g")
    for wanted in (
        Filter(player="STRASSE"),
        Filter(player=" ada lovelace"),
        Filter(tag="club night"),
        Filter(q="LOVE stra nig isl"),
        Filter(to=START),
    ):
        assert [summary.id for summary in store.projections.find(wanted)[0]] == ["g"]
    for wanted in (Filter(player="ada"), Filter(tag="club"), Filter(q="ovelace"), Filter(from_=START)):
        assert store.projections.find(wanted) == ([], None)


def test_the_status_of_a_game_changes(store: Store) -> None:
    def is_found(status: str) -> bool:
        store.projections.project("g")
        return bool(store.projections.find(Filter(status=status))[0])

    game, first = open_game(
        ruleset="forbidden-island", seats=[Seat("Ada"), Seat("Bo")], options={}, seed="s", recorded_at=clock(1)
    )
    store.open("g", game, [first], seed="s")
    assert is_found("setup")
    for draft, status in (
        (Draft(type="set_up"), "in_progress"),
        (Draft(type="abandon", params={"reason": "late"}), "abandoned"),
    ):
        after, events = record(game, [draft], Seeded("s"), store.games.past("g"), recorded_at=clock(2))
        store.events.append("g", (game.version, game.head), events)
        game = after
        assert is_found(status)
    assert not is_found("setup")
    assert not is_found("in_progress")


def test_a_game_whose_rules_are_not_installed_any_more_is_still_found(store: Store) -> None:
    store.projections.write(
        msgspec.structs.replace(random_summary(1, random.Random(0)), ruleset="forgotten", seats=("Ada",))
    )
    assert store.projections.find(Filter(q="forg ada"))[0]


def test_an_entry_that_is_none_is_left_out_of_the_list(store: Store) -> None:
    damaged, intact = (random_summary(number, random.Random(number)) for number in (1, 2))
    for game in (damaged, intact):
        store.projections.write(game)
    for entry in (b"[]", b'{"id":"\xff"}'):
        connection.call(store.client, "HSET", "{games}:summaries", damaged.id, entry)
        assert [game.id for game in store.projections.find(Filter())[0]] == [intact.id]
        assert store.projections.find(Filter(game=damaged.id)) == ([], None)
        with pytest.raises(Corrupt):
            store.projections.summary(damaged.id)
