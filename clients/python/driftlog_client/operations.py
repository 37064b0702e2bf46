"""A method for each operation of the contract. Made from openapi.yaml by `make openapi`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, cast

from driftlog_client import types
from driftlog_client.calls import Call, call, part


class Operations(ABC):
    """The operations, to be called: what the service refuses is raised as a `Problem`."""

    @abstractmethod
    def send(self, call: Call) -> Any:
        """Have a call answered."""

    def list_rulesets(self) -> types.RulesetList:
        """What can be recorded.

        Every ruleset in brief.
        """
        return cast("types.RulesetList", self.send(call("GET", "/v1/rulesets")))

    def get_ruleset(self, ruleset_id: str) -> types.Ruleset:
        """A ruleset, whole.

        Its options and the params of every action as JSON Schema, the rules they implement, and its components.
        """
        return cast("types.Ruleset", self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}")))

    def get_csv_template(self, ruleset_id: str) -> str:
        """A sheet to write a game in, as CSV.

        Filled in, it is read by `POST /v1/readings` and `POST /v1/imports`.
        """
        return cast("str", self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}/template.csv", form="text")))

    def get_xlsx_template(self, ruleset_id: str) -> bytes:
        """A sheet to write a game in, as a workbook.

        With lists to choose from: the players, the actions, what they are done to. Filled in, it is read as the
        CSV is.
        """
        return cast("bytes", self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}/template.xlsx", form="bytes")))

    def find_games(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        ruleset: str | None = None,
        status: types.GameStatus | None = None,
        result: types.GameResult | None = None,
        player: str | None = None,
        tag: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        q: str | None = None,
        parent: str | None = None,
        sort: types.GameOrder | None = None,
    ) -> types.GameList:
        """Find records.

        Newest first, or as `sort` says. The list is a projection: it follows the logs within a moment.

        Args:
            limit: How many at the most.
            cursor: From the page before.
            ruleset: The id of a ruleset.
            status: How far they are.
            result: How they ended.
            player: A player's whole name, in any case.
            tag: A whole tag, in any case.
            from_: Opened at or after this time, RFC 3339.
            to: Opened before this time, RFC 3339.
            q: Words, or their beginnings, of players' names, tags and rulesets.
            parent: The id of a game: its forks.
            sort: The order.
        """
        return cast(
            "types.GameList",
            self.send(
                call(
                    "GET",
                    "/v1/games",
                    query={
                        "limit": limit,
                        "cursor": cursor,
                        "ruleset": ruleset,
                        "status": status,
                        "result": result,
                        "player": player,
                        "tag": tag,
                        "from": from_,
                        "to": to,
                        "q": q,
                        "parent": parent,
                        "sort": sort,
                    },
                )
            ),
        )

    def open_game(self, body: types.OpenGame, *, idempotency_key: str | None = None) -> types.Game:
        """Open a record.

        A seeded game is set up at once; an observed one waits for its `set_up`. With a `position` the record
        begins in the middle of a game.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Game",
            self.send(
                call("POST", "/v1/games", headers={"Idempotency-Key": idempotency_key}, body=body, is_keyed=True)
            ),
        )

    def get_game(self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None) -> types.Game:
        """What a game is.

        `ETag` is its version.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.Game", self.send(call("GET", f"/v1/games/{part(game_id)}", query={"viewer": viewer, "until": until}))
        )

    def delete_game(self, game_id: str) -> None:
        """Delete a game.

        For good: its log, and all that was made of it. What stays is that it was here, and its head: from now
        on every address of the game answers 410 `gone`. Forks of it live on; they have its events up to where
        they begin.
        """
        self.send(call("DELETE", f"/v1/games/{part(game_id)}", form="nothing"))

    def find_forks(self, game_id: str, *, limit: int | None = None, cursor: str | None = None) -> types.GameList:
        """Find the forks of a game.

        Newest first. `fork.at` says where each begins.

        Args:
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast(
            "types.GameList",
            self.send(call("GET", f"/v1/games/{part(game_id)}/forks", query={"limit": limit, "cursor": cursor})),
        )

    def fork_game(
        self, game_id: str, body: types.ForkGame, *, idempotency_key: str | None = None
    ) -> types.Job | types.Game:
        """Fork a game.

        A new game that has the same events up to `at`, and goes on from there: by the same kind of chance, or
        by the other. A seeded fork draws by a seed of its own, so that it tells nothing of its parent's draws.
        A long one is made by a worker (202), which `Location` follows: the job's `result.game` is its id.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.Game",
            self.send(
                call(
                    "POST",
                    f"/v1/games/{part(game_id)}/forks",
                    headers={"Idempotency-Key": idempotency_key},
                    body=body,
                    is_keyed=True,
                )
            ),
        )

    def get_player(self, name: str) -> types.PlayerFigures:
        """A player in figures.

        By the whole name, in any case. A projection, as the list is: it follows the logs within a moment. A
        name that is hidden is nobody's.
        """
        return cast("types.PlayerFigures", self.send(call("GET", f"/v1/players/{part(name)}")))

    def list_aliases(self) -> types.AliasList:
        """The names that are other names of somebody.

        By name; those of people who are hidden are left out.
        """
        return cast("types.AliasList", self.send(call("GET", "/v1/aliases")))

    def say_alias(self, name: str, body: types.NewAlias) -> types.Alias:
        """Say that a name is another name of somebody.

        In any case of its letters. From then on lists, filters, players' pages and figures tell of one person,
        by the name under `is`; where that is another name itself, by what it is another name of. The logs keep
        what was written. What was said of the name before counts no more. Many games follow within a moment.
        """
        return cast("types.Alias", self.send(call("PUT", f"/v1/aliases/{part(name)}", body=body)))

    def take_alias_back(self, name: str) -> None:
        """Take back that a name is another name of somebody.

        As if it had never been said.
        """
        self.send(call("DELETE", f"/v1/aliases/{part(name)}", form="nothing"))

    def get_sitter(self, game_id: str, seat: str) -> types.Sitter:
        """Who is said to have sat in a seat.

        404 where nothing is said but the name that is written there.
        """
        return cast("types.Sitter", self.send(call("GET", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player")))

    def say_sitter(self, game_id: str, seat: str, body: types.NewSitter) -> types.Sitter:
        """Say who sat in a seat.

        Where two people go by the name that is written there. Lists, filters, players' pages and figures tell
        of that person in this game; its log and its table keep the name.
        """
        return cast(
            "types.Sitter", self.send(call("PUT", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player", body=body))
        )

    def take_sitter_back(self, game_id: str, seat: str) -> None:
        """Take back who sat in a seat.

        It is whoever is meant by the name that is written there.
        """
        self.send(call("DELETE", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player", form="nothing"))

    def read_feed(
        self,
        *,
        ruleset: str | None = None,
        result: types.GameResult | None = None,
        player: str | None = None,
        tag: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        q: str | None = None,
        parent: str | None = None,
    ) -> str:
        """Games that have ended, as a feed.

        Atom. Of those that were opened last and are played to their end, 50, the one that ended last first.

        Args:
            ruleset: The id of a ruleset.
            result: How they ended.
            player: A player's whole name, in any case.
            tag: A whole tag, in any case.
            from_: Opened at or after this time, RFC 3339.
            to: Opened before this time, RFC 3339.
            q: Words, or their beginnings, of players' names, tags and rulesets.
            parent: The id of a game: its forks.
        """
        return cast(
            "str",
            self.send(
                call(
                    "GET",
                    "/v1/games.atom",
                    query={
                        "ruleset": ruleset,
                        "result": result,
                        "player": player,
                        "tag": tag,
                        "from": from_,
                        "to": to,
                        "q": q,
                        "parent": parent,
                    },
                    form="text",
                )
            ),
        )

    def embed_game(
        self,
        *,
        url: str | None = None,
        format: Literal["json"] | None = None,
        maxwidth: int | None = None,
        maxheight: int | None = None,
    ) -> types.Embedded:
        """A link to a game, as another site shows it.

        oEmbed 1.0, of the type `photo`: of a share link for everybody, of a game's page where the service is
        open.

        Args:
            url: The address of a game's page, or of a share link.
            format: `json` alone.
            maxwidth: Pixels at the most.
            maxheight: Pixels at the most.
        """
        return cast(
            "types.Embedded",
            self.send(
                call(
                    "GET", "/oembed", query={"url": url, "format": format, "maxwidth": maxwidth, "maxheight": maxheight}
                )
            ),
        )

    def read_events(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        after: int | None = None,
        limit: int | None = None,
        wait: float | None = None,
    ) -> types.EventList:
        """Read the log.

        In order, from the event after `after`. `superseded` says which of them were taken back or written anew.
        With `wait` the answer comes once there is such an event, or after that many seconds, empty.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            after: The events after this `seq`.
            limit: How many at the most.
            wait: Seconds to wait for an event where there is none yet; it counts as a live stream.
        """
        return cast(
            "types.EventList",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/events",
                    query={"viewer": viewer, "until": until, "after": after, "limit": limit, "wait": wait},
                )
            ),
        )

    def append_events(
        self,
        game_id: str,
        body: types.NewEvent | Sequence[types.NewEvent],
        *,
        dry_run: bool | None = None,
        accept_left_out: bool | None = None,
        accept_refused: bool | None = None,
        accept_illegal: bool | None = None,
        include: Sequence[types.Included] | None = None,
        viewer: types.Viewer | None = None,
        after: int | None = None,
        layout: types.Layout | None = None,
        changes: str | None = None,
        if_match: int | None = None,
        idempotency_key: str | None = None,
        prefer: str | None = None,
    ) -> types.Appended:
        """Append events.

        One event, or a list. A list is appended whole or not at all; but where chance is drawn by the service,
        or what a player hides is opened, that is in the log before what follows is judged. From there on the
        list is appended event by event, and ends at the first that is refused: those before it stay, and
        `stopped` says which one it was, and why. A 201 is a promise: the events are on disk, and as many
        replicas have them as the service is set up to ask for. With `Prefer: return=minimal` the answer has
        `head` in place of `events`. With `include` it brings what the reads would answer at its version: for
        that it has the time of another request, and the events stand whatever comes of it.

        Args:
            dry_run: Judge, and append nothing: the answer is 200. What would tell what the service draws,
                or what a player hides, is not told: from there on the answer is as if nothing had been asked.
            accept_left_out: In a game recorded as played, of an action that is legal only if steps were
                left out before it: true appends these as `left_out`, and the action behind them; false appends
                it as it is, marked. Without it such an action is refused, and `left_out` of the problem names
                the steps. In a list it goes for each action, on the table as those before it left it.
            accept_refused: With `dry_run`: what would be refused is told by a 200, too, with the problem in
                `stopped`. A page that asks what comes next is then not told of an error.
            accept_illegal: It happened anyway: in a strict game, too, an action that the rules forbid is
                appended as the table did it, with its verdict, where it is clear what came of it. So a strict
                game goes on as played from any event on, for as long as its table likes; what is not so
                accepted is refused as before. Not for what a player hides. A game recorded as played takes such
                actions without it.
            include: What to tell besides, at the version of the answer, so that no further request is
                needed. Not with `dry_run`.
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            after: Of an included story: the events after this `seq` (default: those appended).
            layout: How an included board is laid out.
            changes: Mark what is not as it was after this event, or after the `previous` one.
            if_match: The version at which the append is wanted; 412 if the game has moved on.
            idempotency_key: The same key with the same body is done once, and answered the same again.
            prefer: `return=minimal` leaves the events out of the answer (RFC 7240); anything else is not
                heeded.
        """
        return cast(
            "types.Appended",
            self.send(
                call(
                    "POST",
                    f"/v1/games/{part(game_id)}/events",
                    query={
                        "dry_run": dry_run,
                        "accept_left_out": accept_left_out,
                        "accept_refused": accept_refused,
                        "accept_illegal": accept_illegal,
                        "include": include,
                        "viewer": viewer,
                        "after": after,
                        "layout": layout,
                        "changes": changes,
                    },
                    headers={"If-Match": if_match, "Idempotency-Key": idempotency_key, "Prefer": prefer},
                    body=body,
                    is_keyed=True,
                )
            ),
        )

    def read_event(
        self, game_id: str, seq: int, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.Event:
        """Read one event.

        As it stands in the log; what players hide is masked for whoever may not see it.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.Event",
            self.send(
                call("GET", f"/v1/games/{part(game_id)}/events/{part(seq)}", query={"viewer": viewer, "until": until})
            ),
        )

    def list_actions(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        actor: types.SeatId | None = None,
    ) -> types.LegalActions:
        """All that may be appended now.

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less
        `label`, `warning`, `rule` and `chance`, is a body to append. Where somebody has to know what nobody
        saw, `possible` has what may be legal. `timer` says what the players have only so long for: the table
        holds the watch. A seat's token is told what that seat may do; `awaiting` says whom the table waits for.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            actor: Only those of this seat.
        """
        return cast(
            "types.LegalActions",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/actions",
                    query={"viewer": viewer, "until": until, "actor": actor},
                )
            ),
        )

    def list_unknowns(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.UnknownList:
        """What nobody saw.

        Each outcome that was reported as null and has not been revealed since, with all that it may have been
        by what is known now. A `reveal` says what it was.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.UnknownList",
            self.send(call("GET", f"/v1/games/{part(game_id)}/unknowns", query={"viewer": viewer, "until": until})),
        )

    def get_state(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        at: int | None = None,
        turn: int | None = None,
    ) -> types.State:
        """The table after an event.

        The last one, the one that `at` names, or the last of `turn` on the line that stands. After event `at`
        the table is as it was then, whatever was amended since.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
            turn: At the end of this turn, or as far as it is.
        """
        return cast(
            "types.State",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/state",
                    query={"viewer": viewer, "until": until, "at": at, "turn": turn},
                )
            ),
        )

    def list_facts(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None, at: int | None = None
    ) -> types.FactList:
        """The facts of the table after an event.

        The last one, or the one that `at` names: all that is so whatever nobody saw, as whoever looks may see
        it. An `adjust` with other `facts` puts right what the record has otherwise; each of these is one to
        tell.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
        """
        return cast(
            "types.FactList",
            self.send(
                call("GET", f"/v1/games/{part(game_id)}/facts", query={"viewer": viewer, "until": until, "at": at})
            ),
        )

    def list_turns(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.TurnList:
        """The turns of a game.

        Of the line that stands: what was undone has no part in it. What players hide is told as the table saw
        it.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.TurnList",
            self.send(call("GET", f"/v1/games/{part(game_id)}/turns", query={"viewer": viewer, "until": until})),
        )

    def draw_board(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        at: int | None = None,
        changes: str | None = None,
        layout: types.Layout | None = None,
        plain: bool | None = None,
    ) -> str:
        """The table as a picture.

        SVG. Its elements carry `data-kind` and `data-id`; those that actions mean carry `data-place` (the value
        that stands in `params`; a number by its name, as in `die:2`), those of a player `data-seat`, those that
        differ from the event that `changes` names `data-changed`. Colours follow the reader's theme by CSS
        variables.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
            changes: Mark what is not as it was after this event, or after the `previous` one.
            layout: How it is laid out.
            plain: Light colours without a style sheet, for converters to other formats.
        """
        return cast(
            "str",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/board.svg",
                    query={
                        "viewer": viewer,
                        "until": until,
                        "at": at,
                        "changes": changes,
                        "layout": layout,
                        "plain": plain,
                    },
                    form="text",
                )
            ),
        )

    def read_story(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> types.Story:
        """Read what happened.

        Every event in a sentence, in order, from the one after `after`; what players hide is told as the table
        saw it. With `until`, all is told as it stood after that event: what came later is nowhere in the
        answer.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            after: The events after this `seq`.
            limit: How many at the most.
        """
        return cast(
            "types.Story",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/story",
                    query={"viewer": viewer, "until": until, "after": after, "limit": limit},
                )
            ),
        )

    def recap_game(self, game_id: str, *, until: int | None = None) -> types.Recap:
        """Look back on a game.

        How it ended, how long it took, how it went from turn to turn, who did what, and luck in a line. What
        was taken back has no part in it, but for the time that it took. With `until` it is the game as it was
        after that event.

        Args:
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast("types.Recap", self.send(call("GET", f"/v1/games/{part(game_id)}/recap", query={"until": until})))

    def draw_recap(self, game_id: str, *, until: int | None = None) -> bytes:
        """The same as a picture.

        PNG, 1200 by 630: the table as everybody sees it, and beside it how the game ended. A link to a game
        that has ended is shown by it.

        Args:
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "bytes",
            self.send(call("GET", f"/v1/games/{part(game_id)}/recap.png", query={"until": until}, form="bytes")),
        )

    def list_notes(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.NoteList:
        """Read what was said.

        Every annotation, and every note that was recorded with an event, in the order in which they were
        written; each with the event that it is about. Marks and bookmarks are null where there is none.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.NoteList",
            self.send(call("GET", f"/v1/games/{part(game_id)}/notes", query={"viewer": viewer, "until": until})),
        )

    def compare_games(
        self,
        game_id: str,
        other_id: str,
        *,
        viewer: types.Viewer | None = None,
        at: int | None = None,
        other_at: int | None = None,
        limit: int | None = None,
    ) -> types.Comparison:
        """Compare two games.

        What they have in common from the beginning, both lines after that, and both states. Of the lines that
        stand: what was taken back has no part in it, and neither has what was only said about the game. `at`
        and `other_at` compare them as they were when those events were the last. Of each line `limit` events
        are told; where it `has_more`, they are read on as its story.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            at: The game as it was when this event was its last (default: as it is).
            other_at: The other one as it was when this event was its last (default: as it is).
            limit: How many events of each line are told at the most.
        """
        return cast(
            "types.Comparison",
            self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/compare/{part(other_id)}",
                    query={"viewer": viewer, "at": at, "other_at": other_at, "limit": limit},
                )
            ),
        )

    def get_deal(self, game_id: str) -> types.Deal:
        """What a table was dealt.

        Its set-up, and each deck from the top as far as the game has shown it: enough to lay the same table
        again. `POST /v1/games` with `deal` opens a game from it, and `games` are those to compare it with.
        Whoever is going to play should not read the decks.
        """
        return cast("types.Deal", self.send(call("GET", f"/v1/games/{part(game_id)}/deal")))

    def list_keys(self) -> types.KeySet:
        """The keys that sign.

        A JWK set. A key that was rotated out stays here, so that what it signed can still be checked.
        """
        return cast("types.KeySet", self.send(call("GET", "/v1/keys")))

    def get_key_file(self, key_id: str) -> str:
        """A public key as a PEM file.

        As `openssl` and most libraries read it.
        """
        return cast("str", self.send(call("GET", f"/v1/keys/{part(key_id)}.pem", form="text")))

    def get_proof(self, game_id: str, *, at: int | None = None) -> types.Envelope:
        """The head, signed.

        A DSSE envelope; its payload is a `Head`. With it, a log can be checked without this service.

        Args:
            at: The head after this event (default: the last).
        """
        return cast("types.Envelope", self.send(call("GET", f"/v1/games/{part(game_id)}/proof", query={"at": at})))

    def prove_consistency(
        self, game_id: str, *, from_: int | None = None, head: str | None = None
    ) -> types.Consistency:
        """That an older head is a beginning of the record.

        The events after it, and the head as it is signed now: whoever has the older head chains the one to the
        other.

        Args:
            from_: Its version.
            head: Its hash.
        """
        return cast(
            "types.Consistency",
            self.send(call("GET", f"/v1/games/{part(game_id)}/proof/consistency", query={"from": from_, "head": head})),
        )

    def list_shares(self, game_id: str) -> types.ShareList:
        """The links to a game.

        Those that are open, oldest first.
        """
        return cast("types.ShareList", self.send(call("GET", f"/v1/games/{part(game_id)}/shares")))

    def share_game(self, game_id: str) -> types.Share:
        """Make a link to a game.

        Whoever has it may replay and watch the game, and nothing else, until it is withdrawn, or the token that
        gave it ends. There is nothing to choose: the body is empty.
        """
        return cast("types.Share", self.send(call("POST", f"/v1/games/{part(game_id)}/shares")))

    def get_share(self, game_id: str, token: str) -> types.Share:
        """A link.

        While it is open.
        """
        return cast("types.Share", self.send(call("GET", f"/v1/games/{part(game_id)}/shares/{part(token)}")))

    def withdraw_share(self, game_id: str, token: str) -> None:
        """Withdraw a link.

        It leads nowhere from now on.
        """
        self.send(call("DELETE", f"/v1/games/{part(game_id)}/shares/{part(token)}", form="nothing"))

    def list_tokens(self, *, limit: int | None = None, cursor: str | None = None) -> types.TokenList:
        """The tokens that one may withdraw.

        An admin all of them (one of a single game those for that game), others those that they gave; newest
        first.

        Args:
            limit: How many at the most.
            cursor: The `next_cursor` of the page before.
        """
        return cast("types.TokenList", self.send(call("GET", "/v1/tokens", query={"limit": limit, "cursor": cursor})))

    def give_token(self, body: types.NewToken) -> types.GivenToken:
        """Give a token.

        Its text is told here and never again. Nobody gives more than they have: no higher role, no other game
        or seat, no later end. It ends when the token that gave it does. An open service gives them to its own
        machine alone.
        """
        return cast("types.GivenToken", self.send(call("POST", "/v1/tokens", body=body)))

    def get_token(self, token_id: str) -> types.Token:
        """A token.

        Without its text.
        """
        return cast("types.Token", self.send(call("GET", f"/v1/tokens/{part(token_id)}")))

    def withdraw_token(self, token_id: str) -> None:
        """Withdraw a token.

        It ends at once, with its open streams and all that it gave. Whoever has one may withdraw it.
        """
        self.send(call("DELETE", f"/v1/tokens/{part(token_id)}", form="nothing"))

    def list_webhooks(self, *, limit: int | None = None, cursor: str | None = None) -> types.WebhookList:
        """The webhooks that one may remove.

        An admin all of them (one of a single game those for that game), others those that they made; newest
        first.

        Args:
            limit: How many at the most.
            cursor: The `next_cursor` of the page before.
        """
        return cast(
            "types.WebhookList", self.send(call("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor}))
        )

    def make_webhook(self, body: types.NewWebhook) -> types.MadeWebhook:
        """Have events sent somewhere.

        Every event that is appended from now on, of the types and games that are asked for, is sent by POST,
        signed by Standard Webhooks with the `secret` that is told here and never again. It is sent what
        everybody may see of those games that the token is for, and nothing more once that token ends.
        """
        return cast("types.MadeWebhook", self.send(call("POST", "/v1/webhooks", body=body)))

    def get_webhook(self, webhook_id: str) -> types.Webhook:
        """A webhook.

        Without its secret.
        """
        return cast("types.Webhook", self.send(call("GET", f"/v1/webhooks/{part(webhook_id)}")))

    def remove_webhook(self, webhook_id: str) -> None:
        """Remove a webhook.

        Nothing is sent by it any more, and what was is forgotten.
        """
        self.send(call("DELETE", f"/v1/webhooks/{part(webhook_id)}", form="nothing"))

    def list_deliveries(self, webhook_id: str, *, limit: int | None = None) -> types.DeliveryList:
        """What was sent by a webhook.

        Each event as it was when it was tried last, newest first; the last 200 are kept.

        Args:
            limit: How many at the most.
        """
        return cast(
            "types.DeliveryList",
            self.send(call("GET", f"/v1/webhooks/{part(webhook_id)}/deliveries", query={"limit": limit})),
        )

    def retry_delivery(self, webhook_id: str, delivery_id: str) -> types.Retried:
        """Send an event again.

        At once, whatever came of it before; any event of a game that the webhook is for will do, listed or not:
        its delivery is called `{game}-{seq}`. Where its receiver takes it, a webhook that was failing is active
        again.
        """
        return cast(
            "types.Retried",
            self.send(call("POST", f"/v1/webhooks/{part(webhook_id)}/deliveries/{part(delivery_id)}/retry")),
        )

    def audit_game(self, game_id: str, body: types.OrderAudit | None = None) -> types.Audit:
        """Audit a game.

        A worker replays all of it and judges every event; `Location` is where to look for the report. With
        `rules`, the report also tells where another version of the rules would have said something else.
        """
        return cast("types.Audit", self.send(call("POST", f"/v1/games/{part(game_id)}/audits", body=body)))

    def get_audit(self, game_id: str, audit_id: str) -> types.Audit:
        """An audit's report.

        Once `status` is `done`; until then how far it is.
        """
        return cast("types.Audit", self.send(call("GET", f"/v1/games/{part(game_id)}/audits/{part(audit_id)}")))

    def import_game(
        self,
        body: str | bytes,
        *,
        media_type: Literal[
            "application/json",
            "application/x-ndjson",
            "text/x-driftlog",
            "text/csv",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ],
        idempotency_key: str | None = None,
    ) -> types.Job | types.ImportedGame:
        """Import an exported log.

        It comes back as a new game with the same events. Every event is replayed and verified first; a long
        log, and one that plays parts of itself again, by a worker (202), which `Location` follows. What is
        wrong with it is the job's `error` then. What was written by hand becomes a new record, and `items` says
        what became of each line.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.ImportedGame",
            self.send(
                call(
                    "POST",
                    "/v1/imports",
                    headers={"Idempotency-Key": idempotency_key},
                    content=body,
                    media_type=media_type,
                    is_keyed=True,
                )
            ),
        )

    def get_job(self, job_id: str) -> types.Job:
        """How far long work is.

        Ask again until `status` is `done` or `failed`.
        """
        return cast("types.Job", self.send(call("GET", f"/v1/jobs/{part(job_id)}")))

    def read_text(
        self,
        body: str | bytes,
        *,
        media_type: Literal[
            "text/x-driftlog", "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        ],
    ) -> types.Reading:
        """Read a game that was written by hand.

        In the notation, or in a sheet (`GET /v1/rulesets/{id}/template.xlsx`): what each line would become, in
        words, with what is missing, irregular or wrong; nothing is kept. An import of the same (`POST
        /v1/imports`) makes it a record.
        """
        return cast("types.Reading", self.send(call("POST", "/v1/readings", content=body, media_type=media_type)))

    def export_games(self, body: types.OrderExport, *, idempotency_key: str | None = None) -> types.Job:
        """Export many games.

        A worker writes all that fit into one zip: a file a game, or files that have all of them, as the format
        is, and a `manifest.json` that says what became of each. `Location` is the job; when it is done, its
        `result.file` is where to fetch the zip, for 24 hours.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job",
            self.send(
                call("POST", "/v1/exports", headers={"Idempotency-Key": idempotency_key}, body=body, is_keyed=True)
            ),
        )

    def list_export_formats(self) -> types.FormatList:
        """What a log can be exported in.

        Every format that this service can write: those that take an extra are missing where it is not
        installed.
        """
        return cast("types.FormatList", self.send(call("GET", "/v1/export-formats")))

    def find_plays(
        self,
        *,
        ruleset: str | None = None,
        player: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> types.PastPlayList:
        """Find past plays.

        Newest first. They count in the figures of their rulesets and players, as games that have ended do.

        Args:
            ruleset: The id of a ruleset.
            player: A player's whole name, in any case.
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast(
            "types.PastPlayList",
            self.send(
                call("GET", "/v1/plays", query={"ruleset": ruleset, "player": player, "limit": limit, "cursor": cursor})
            ),
        )

    def import_plays(
        self,
        body: str | bytes,
        *,
        media_type: Literal["application/vnd.bgstats.play+json"],
        again: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Job | types.PlaysTakenIn:
        """Import plays of BG Stats.

        A `.bgsplay` file, or the app's own export of everything. Each play of a game that is known here becomes
        a past play, once, however often it comes: who played, who won, when, how long and where. The answer
        says what became of each. A long file is taken in by a worker (202), which `Location` follows; the job's
        `result` is the same.

        Args:
            again: Whether to take in also those that were taken out here.
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.PlaysTakenIn",
            self.send(
                call(
                    "POST",
                    "/v1/plays",
                    query={"again": again},
                    headers={"Idempotency-Key": idempotency_key},
                    content=body,
                    media_type=media_type,
                    is_keyed=True,
                )
            ),
        )

    def export_plays(self, *, ruleset: str | None = None, player: str | None = None) -> str:
        """Export past plays.

        As BG Stats takes them in, each under the UUID with which it came.

        Args:
            ruleset: The id of a ruleset.
            player: A player's whole name, in any case.
        """
        return cast(
            "str", self.send(call("GET", "/v1/plays/export", query={"ruleset": ruleset, "player": player}, form="text"))
        )

    def get_play(self, play_id: str) -> types.PastPlay:
        """What a past play is.

        By its UUID, in lower case.
        """
        return cast("types.PastPlay", self.send(call("GET", f"/v1/plays/{part(play_id)}")))

    def take_out_play(self, play_id: str) -> None:
        """Take a past play out.

        It counts no more, and an import of the same file does not bring it back, unless that is asked for
        (`again`).
        """
        self.send(call("DELETE", f"/v1/plays/{part(play_id)}", form="nothing"))

    def read_access_log(self, *, limit: int | None = None, cursor: str | None = None) -> types.UseList:
        """Who used an admin's rights.

        Or others that not everybody has: gave a token, looked at what another seat hides, corrected what
        somebody else recorded. Newest first; of admins the last 10,000 are kept, and as many of others. What
        was asked for stands there before it is done, and whatever came of it.

        Args:
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast("types.UseList", self.send(call("GET", "/v1/access-log", query={"limit": limit, "cursor": cursor})))

    def list_hidden_names(self) -> types.HiddenNameList:
        """The names that are taken out of the list.

        By name.
        """
        return cast("types.HiddenNameList", self.send(call("GET", "/v1/hidden-names")))

    def hide_name(self, name: str) -> types.HiddenName:
        """Take a name out of the list.

        In any case of its letters. Lists, search, players' pages and their figures do not tell it any more: in
        a list `…` stands in its place, and a tag in which it stands as words of its own is left out. The logs
        keep it, with their hashes: whoever may open a game still reads who played.
        """
        return cast("types.HiddenName", self.send(call("PUT", f"/v1/hidden-names/{part(name)}")))

    def show_name(self, name: str) -> None:
        """Put a name into the list again.

        As if it had never been hidden.
        """
        self.send(call("DELETE", f"/v1/hidden-names/{part(name)}", form="nothing"))

    def get_session(self) -> types.Session:
        """As whom one asks.

        By the token that comes with the request, in a cookie or not.
        """
        return cast("types.Session", self.send(call("GET", "/v1/session")))

    def begin_session(self, body: types.BeginSession) -> types.Session:
        """Begin a session.

        The browser sends the token from now on, in a cookie that no script reads, until it ends.
        `/enter#<token>` is the page that does this.
        """
        return cast("types.Session", self.send(call("POST", "/v1/session", body=body)))

    def end_session(self) -> None:
        """End a session.

        The browser forgets the token, which is still one: `DELETE /v1/tokens/{id}` withdraws it.
        """
        self.send(call("DELETE", "/v1/session", form="nothing"))

    def get_health(self) -> types.Health:
        """Whether the process is up.

        It asks nobody else: an answer is all there is to know.
        """
        return cast("types.Health", self.send(call("GET", "/healthz")))

    def get_readiness(self) -> types.Readiness:
        """Whether the store takes writes, and workers are there.

        By a small write, at most one a second. `detail` of a 503 says what is in the way. Where the archive is
        not to be reached, all but what needs an archived log goes on: `archive` says so, and it is ready.
        """
        return cast("types.Readiness", self.send(call("GET", "/readyz")))

    def get_metrics(self) -> str:
        """Figures for Prometheus.

        Of all web processes, and of what the store and the queue tell; docs/metrics.md lists them.
        """
        return cast("str", self.send(call("GET", "/metrics", form="text")))

    def get_contract(self) -> str:
        """The contract.

        This document.
        """
        return cast("str", self.send(call("GET", "/openapi.yaml", form="text")))


class AsyncOperations(ABC):
    """The operations, to be awaited: what the service refuses is raised as a `Problem`."""

    @abstractmethod
    async def send(self, call: Call) -> Any:
        """Have a call answered."""

    async def list_rulesets(self) -> types.RulesetList:
        """What can be recorded.

        Every ruleset in brief.
        """
        return cast("types.RulesetList", await self.send(call("GET", "/v1/rulesets")))

    async def get_ruleset(self, ruleset_id: str) -> types.Ruleset:
        """A ruleset, whole.

        Its options and the params of every action as JSON Schema, the rules they implement, and its components.
        """
        return cast("types.Ruleset", await self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}")))

    async def get_csv_template(self, ruleset_id: str) -> str:
        """A sheet to write a game in, as CSV.

        Filled in, it is read by `POST /v1/readings` and `POST /v1/imports`.
        """
        return cast("str", await self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}/template.csv", form="text")))

    async def get_xlsx_template(self, ruleset_id: str) -> bytes:
        """A sheet to write a game in, as a workbook.

        With lists to choose from: the players, the actions, what they are done to. Filled in, it is read as the
        CSV is.
        """
        return cast(
            "bytes", await self.send(call("GET", f"/v1/rulesets/{part(ruleset_id)}/template.xlsx", form="bytes"))
        )

    async def find_games(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        ruleset: str | None = None,
        status: types.GameStatus | None = None,
        result: types.GameResult | None = None,
        player: str | None = None,
        tag: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        q: str | None = None,
        parent: str | None = None,
        sort: types.GameOrder | None = None,
    ) -> types.GameList:
        """Find records.

        Newest first, or as `sort` says. The list is a projection: it follows the logs within a moment.

        Args:
            limit: How many at the most.
            cursor: From the page before.
            ruleset: The id of a ruleset.
            status: How far they are.
            result: How they ended.
            player: A player's whole name, in any case.
            tag: A whole tag, in any case.
            from_: Opened at or after this time, RFC 3339.
            to: Opened before this time, RFC 3339.
            q: Words, or their beginnings, of players' names, tags and rulesets.
            parent: The id of a game: its forks.
            sort: The order.
        """
        return cast(
            "types.GameList",
            await self.send(
                call(
                    "GET",
                    "/v1/games",
                    query={
                        "limit": limit,
                        "cursor": cursor,
                        "ruleset": ruleset,
                        "status": status,
                        "result": result,
                        "player": player,
                        "tag": tag,
                        "from": from_,
                        "to": to,
                        "q": q,
                        "parent": parent,
                        "sort": sort,
                    },
                )
            ),
        )

    async def open_game(self, body: types.OpenGame, *, idempotency_key: str | None = None) -> types.Game:
        """Open a record.

        A seeded game is set up at once; an observed one waits for its `set_up`. With a `position` the record
        begins in the middle of a game.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Game",
            await self.send(
                call("POST", "/v1/games", headers={"Idempotency-Key": idempotency_key}, body=body, is_keyed=True)
            ),
        )

    async def get_game(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.Game:
        """What a game is.

        `ETag` is its version.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.Game",
            await self.send(call("GET", f"/v1/games/{part(game_id)}", query={"viewer": viewer, "until": until})),
        )

    async def delete_game(self, game_id: str) -> None:
        """Delete a game.

        For good: its log, and all that was made of it. What stays is that it was here, and its head: from now
        on every address of the game answers 410 `gone`. Forks of it live on; they have its events up to where
        they begin.
        """
        await self.send(call("DELETE", f"/v1/games/{part(game_id)}", form="nothing"))

    async def find_forks(self, game_id: str, *, limit: int | None = None, cursor: str | None = None) -> types.GameList:
        """Find the forks of a game.

        Newest first. `fork.at` says where each begins.

        Args:
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast(
            "types.GameList",
            await self.send(call("GET", f"/v1/games/{part(game_id)}/forks", query={"limit": limit, "cursor": cursor})),
        )

    async def fork_game(
        self, game_id: str, body: types.ForkGame, *, idempotency_key: str | None = None
    ) -> types.Job | types.Game:
        """Fork a game.

        A new game that has the same events up to `at`, and goes on from there: by the same kind of chance, or
        by the other. A seeded fork draws by a seed of its own, so that it tells nothing of its parent's draws.
        A long one is made by a worker (202), which `Location` follows: the job's `result.game` is its id.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.Game",
            await self.send(
                call(
                    "POST",
                    f"/v1/games/{part(game_id)}/forks",
                    headers={"Idempotency-Key": idempotency_key},
                    body=body,
                    is_keyed=True,
                )
            ),
        )

    async def get_player(self, name: str) -> types.PlayerFigures:
        """A player in figures.

        By the whole name, in any case. A projection, as the list is: it follows the logs within a moment. A
        name that is hidden is nobody's.
        """
        return cast("types.PlayerFigures", await self.send(call("GET", f"/v1/players/{part(name)}")))

    async def list_aliases(self) -> types.AliasList:
        """The names that are other names of somebody.

        By name; those of people who are hidden are left out.
        """
        return cast("types.AliasList", await self.send(call("GET", "/v1/aliases")))

    async def say_alias(self, name: str, body: types.NewAlias) -> types.Alias:
        """Say that a name is another name of somebody.

        In any case of its letters. From then on lists, filters, players' pages and figures tell of one person,
        by the name under `is`; where that is another name itself, by what it is another name of. The logs keep
        what was written. What was said of the name before counts no more. Many games follow within a moment.
        """
        return cast("types.Alias", await self.send(call("PUT", f"/v1/aliases/{part(name)}", body=body)))

    async def take_alias_back(self, name: str) -> None:
        """Take back that a name is another name of somebody.

        As if it had never been said.
        """
        await self.send(call("DELETE", f"/v1/aliases/{part(name)}", form="nothing"))

    async def get_sitter(self, game_id: str, seat: str) -> types.Sitter:
        """Who is said to have sat in a seat.

        404 where nothing is said but the name that is written there.
        """
        return cast(
            "types.Sitter", await self.send(call("GET", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player"))
        )

    async def say_sitter(self, game_id: str, seat: str, body: types.NewSitter) -> types.Sitter:
        """Say who sat in a seat.

        Where two people go by the name that is written there. Lists, filters, players' pages and figures tell
        of that person in this game; its log and its table keep the name.
        """
        return cast(
            "types.Sitter",
            await self.send(call("PUT", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player", body=body)),
        )

    async def take_sitter_back(self, game_id: str, seat: str) -> None:
        """Take back who sat in a seat.

        It is whoever is meant by the name that is written there.
        """
        await self.send(call("DELETE", f"/v1/games/{part(game_id)}/seats/{part(seat)}/player", form="nothing"))

    async def read_feed(
        self,
        *,
        ruleset: str | None = None,
        result: types.GameResult | None = None,
        player: str | None = None,
        tag: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        q: str | None = None,
        parent: str | None = None,
    ) -> str:
        """Games that have ended, as a feed.

        Atom. Of those that were opened last and are played to their end, 50, the one that ended last first.

        Args:
            ruleset: The id of a ruleset.
            result: How they ended.
            player: A player's whole name, in any case.
            tag: A whole tag, in any case.
            from_: Opened at or after this time, RFC 3339.
            to: Opened before this time, RFC 3339.
            q: Words, or their beginnings, of players' names, tags and rulesets.
            parent: The id of a game: its forks.
        """
        return cast(
            "str",
            await self.send(
                call(
                    "GET",
                    "/v1/games.atom",
                    query={
                        "ruleset": ruleset,
                        "result": result,
                        "player": player,
                        "tag": tag,
                        "from": from_,
                        "to": to,
                        "q": q,
                        "parent": parent,
                    },
                    form="text",
                )
            ),
        )

    async def embed_game(
        self,
        *,
        url: str | None = None,
        format: Literal["json"] | None = None,
        maxwidth: int | None = None,
        maxheight: int | None = None,
    ) -> types.Embedded:
        """A link to a game, as another site shows it.

        oEmbed 1.0, of the type `photo`: of a share link for everybody, of a game's page where the service is
        open.

        Args:
            url: The address of a game's page, or of a share link.
            format: `json` alone.
            maxwidth: Pixels at the most.
            maxheight: Pixels at the most.
        """
        return cast(
            "types.Embedded",
            await self.send(
                call(
                    "GET", "/oembed", query={"url": url, "format": format, "maxwidth": maxwidth, "maxheight": maxheight}
                )
            ),
        )

    async def read_events(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        after: int | None = None,
        limit: int | None = None,
        wait: float | None = None,
    ) -> types.EventList:
        """Read the log.

        In order, from the event after `after`. `superseded` says which of them were taken back or written anew.
        With `wait` the answer comes once there is such an event, or after that many seconds, empty.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            after: The events after this `seq`.
            limit: How many at the most.
            wait: Seconds to wait for an event where there is none yet; it counts as a live stream.
        """
        return cast(
            "types.EventList",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/events",
                    query={"viewer": viewer, "until": until, "after": after, "limit": limit, "wait": wait},
                )
            ),
        )

    async def append_events(
        self,
        game_id: str,
        body: types.NewEvent | Sequence[types.NewEvent],
        *,
        dry_run: bool | None = None,
        accept_left_out: bool | None = None,
        accept_refused: bool | None = None,
        accept_illegal: bool | None = None,
        include: Sequence[types.Included] | None = None,
        viewer: types.Viewer | None = None,
        after: int | None = None,
        layout: types.Layout | None = None,
        changes: str | None = None,
        if_match: int | None = None,
        idempotency_key: str | None = None,
        prefer: str | None = None,
    ) -> types.Appended:
        """Append events.

        One event, or a list. A list is appended whole or not at all; but where chance is drawn by the service,
        or what a player hides is opened, that is in the log before what follows is judged. From there on the
        list is appended event by event, and ends at the first that is refused: those before it stay, and
        `stopped` says which one it was, and why. A 201 is a promise: the events are on disk, and as many
        replicas have them as the service is set up to ask for. With `Prefer: return=minimal` the answer has
        `head` in place of `events`. With `include` it brings what the reads would answer at its version: for
        that it has the time of another request, and the events stand whatever comes of it.

        Args:
            dry_run: Judge, and append nothing: the answer is 200. What would tell what the service draws,
                or what a player hides, is not told: from there on the answer is as if nothing had been asked.
            accept_left_out: In a game recorded as played, of an action that is legal only if steps were
                left out before it: true appends these as `left_out`, and the action behind them; false appends
                it as it is, marked. Without it such an action is refused, and `left_out` of the problem names
                the steps. In a list it goes for each action, on the table as those before it left it.
            accept_refused: With `dry_run`: what would be refused is told by a 200, too, with the problem in
                `stopped`. A page that asks what comes next is then not told of an error.
            accept_illegal: It happened anyway: in a strict game, too, an action that the rules forbid is
                appended as the table did it, with its verdict, where it is clear what came of it. So a strict
                game goes on as played from any event on, for as long as its table likes; what is not so
                accepted is refused as before. Not for what a player hides. A game recorded as played takes such
                actions without it.
            include: What to tell besides, at the version of the answer, so that no further request is
                needed. Not with `dry_run`.
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            after: Of an included story: the events after this `seq` (default: those appended).
            layout: How an included board is laid out.
            changes: Mark what is not as it was after this event, or after the `previous` one.
            if_match: The version at which the append is wanted; 412 if the game has moved on.
            idempotency_key: The same key with the same body is done once, and answered the same again.
            prefer: `return=minimal` leaves the events out of the answer (RFC 7240); anything else is not
                heeded.
        """
        return cast(
            "types.Appended",
            await self.send(
                call(
                    "POST",
                    f"/v1/games/{part(game_id)}/events",
                    query={
                        "dry_run": dry_run,
                        "accept_left_out": accept_left_out,
                        "accept_refused": accept_refused,
                        "accept_illegal": accept_illegal,
                        "include": include,
                        "viewer": viewer,
                        "after": after,
                        "layout": layout,
                        "changes": changes,
                    },
                    headers={"If-Match": if_match, "Idempotency-Key": idempotency_key, "Prefer": prefer},
                    body=body,
                    is_keyed=True,
                )
            ),
        )

    async def read_event(
        self, game_id: str, seq: int, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.Event:
        """Read one event.

        As it stands in the log; what players hide is masked for whoever may not see it.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.Event",
            await self.send(
                call("GET", f"/v1/games/{part(game_id)}/events/{part(seq)}", query={"viewer": viewer, "until": until})
            ),
        )

    async def list_actions(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        actor: types.SeatId | None = None,
    ) -> types.LegalActions:
        """All that may be appended now.

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less
        `label`, `warning`, `rule` and `chance`, is a body to append. Where somebody has to know what nobody
        saw, `possible` has what may be legal. `timer` says what the players have only so long for: the table
        holds the watch. A seat's token is told what that seat may do; `awaiting` says whom the table waits for.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            actor: Only those of this seat.
        """
        return cast(
            "types.LegalActions",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/actions",
                    query={"viewer": viewer, "until": until, "actor": actor},
                )
            ),
        )

    async def list_unknowns(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.UnknownList:
        """What nobody saw.

        Each outcome that was reported as null and has not been revealed since, with all that it may have been
        by what is known now. A `reveal` says what it was.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.UnknownList",
            await self.send(
                call("GET", f"/v1/games/{part(game_id)}/unknowns", query={"viewer": viewer, "until": until})
            ),
        )

    async def get_state(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        at: int | None = None,
        turn: int | None = None,
    ) -> types.State:
        """The table after an event.

        The last one, the one that `at` names, or the last of `turn` on the line that stands. After event `at`
        the table is as it was then, whatever was amended since.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
            turn: At the end of this turn, or as far as it is.
        """
        return cast(
            "types.State",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/state",
                    query={"viewer": viewer, "until": until, "at": at, "turn": turn},
                )
            ),
        )

    async def list_facts(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None, at: int | None = None
    ) -> types.FactList:
        """The facts of the table after an event.

        The last one, or the one that `at` names: all that is so whatever nobody saw, as whoever looks may see
        it. An `adjust` with other `facts` puts right what the record has otherwise; each of these is one to
        tell.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
        """
        return cast(
            "types.FactList",
            await self.send(
                call("GET", f"/v1/games/{part(game_id)}/facts", query={"viewer": viewer, "until": until, "at": at})
            ),
        )

    async def list_turns(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.TurnList:
        """The turns of a game.

        Of the line that stands: what was undone has no part in it. What players hide is told as the table saw
        it.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.TurnList",
            await self.send(call("GET", f"/v1/games/{part(game_id)}/turns", query={"viewer": viewer, "until": until})),
        )

    async def draw_board(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        at: int | None = None,
        changes: str | None = None,
        layout: types.Layout | None = None,
        plain: bool | None = None,
    ) -> str:
        """The table as a picture.

        SVG. Its elements carry `data-kind` and `data-id`; those that actions mean carry `data-place` (the value
        that stands in `params`; a number by its name, as in `die:2`), those of a player `data-seat`, those that
        differ from the event that `changes` names `data-changed`. Colours follow the reader's theme by CSS
        variables.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            at: After this event (default: the last).
            changes: Mark what is not as it was after this event, or after the `previous` one.
            layout: How it is laid out.
            plain: Light colours without a style sheet, for converters to other formats.
        """
        return cast(
            "str",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/board.svg",
                    query={
                        "viewer": viewer,
                        "until": until,
                        "at": at,
                        "changes": changes,
                        "layout": layout,
                        "plain": plain,
                    },
                    form="text",
                )
            ),
        )

    async def read_story(
        self,
        game_id: str,
        *,
        viewer: types.Viewer | None = None,
        until: int | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> types.Story:
        """Read what happened.

        Every event in a sentence, in order, from the one after `after`; what players hide is told as the table
        saw it. With `until`, all is told as it stood after that event: what came later is nowhere in the
        answer.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
            after: The events after this `seq`.
            limit: How many at the most.
        """
        return cast(
            "types.Story",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/story",
                    query={"viewer": viewer, "until": until, "after": after, "limit": limit},
                )
            ),
        )

    async def recap_game(self, game_id: str, *, until: int | None = None) -> types.Recap:
        """Look back on a game.

        How it ended, how long it took, how it went from turn to turn, who did what, and luck in a line. What
        was taken back has no part in it, but for the time that it took. With `until` it is the game as it was
        after that event.

        Args:
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.Recap", await self.send(call("GET", f"/v1/games/{part(game_id)}/recap", query={"until": until}))
        )

    async def draw_recap(self, game_id: str, *, until: int | None = None) -> bytes:
        """The same as a picture.

        PNG, 1200 by 630: the table as everybody sees it, and beside it how the game ended. A link to a game
        that has ended is shown by it.

        Args:
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "bytes",
            await self.send(call("GET", f"/v1/games/{part(game_id)}/recap.png", query={"until": until}, form="bytes")),
        )

    async def list_notes(
        self, game_id: str, *, viewer: types.Viewer | None = None, until: int | None = None
    ) -> types.NoteList:
        """Read what was said.

        Every annotation, and every note that was recorded with an event, in the order in which they were
        written; each with the event that it is about. Marks and bookmarks are null where there is none.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            until: As it was when this event was the last: nothing that came later is in the answer
                (default: as it is).
        """
        return cast(
            "types.NoteList",
            await self.send(call("GET", f"/v1/games/{part(game_id)}/notes", query={"viewer": viewer, "until": until})),
        )

    async def compare_games(
        self,
        game_id: str,
        other_id: str,
        *,
        viewer: types.Viewer | None = None,
        at: int | None = None,
        other_at: int | None = None,
        limit: int | None = None,
    ) -> types.Comparison:
        """Compare two games.

        What they have in common from the beginning, both lines after that, and both states. Of the lines that
        stand: what was taken back has no part in it, and neither has what was only said about the game. `at`
        and `other_at` compare them as they were when those events were the last. Of each line `limit` events
        are told; where it `has_more`, they are read on as its story.

        Args:
            viewer: Who looks: a seat sees what it hides itself, `public` (the default) none of it.
            at: The game as it was when this event was its last (default: as it is).
            other_at: The other one as it was when this event was its last (default: as it is).
            limit: How many events of each line are told at the most.
        """
        return cast(
            "types.Comparison",
            await self.send(
                call(
                    "GET",
                    f"/v1/games/{part(game_id)}/compare/{part(other_id)}",
                    query={"viewer": viewer, "at": at, "other_at": other_at, "limit": limit},
                )
            ),
        )

    async def get_deal(self, game_id: str) -> types.Deal:
        """What a table was dealt.

        Its set-up, and each deck from the top as far as the game has shown it: enough to lay the same table
        again. `POST /v1/games` with `deal` opens a game from it, and `games` are those to compare it with.
        Whoever is going to play should not read the decks.
        """
        return cast("types.Deal", await self.send(call("GET", f"/v1/games/{part(game_id)}/deal")))

    async def list_keys(self) -> types.KeySet:
        """The keys that sign.

        A JWK set. A key that was rotated out stays here, so that what it signed can still be checked.
        """
        return cast("types.KeySet", await self.send(call("GET", "/v1/keys")))

    async def get_key_file(self, key_id: str) -> str:
        """A public key as a PEM file.

        As `openssl` and most libraries read it.
        """
        return cast("str", await self.send(call("GET", f"/v1/keys/{part(key_id)}.pem", form="text")))

    async def get_proof(self, game_id: str, *, at: int | None = None) -> types.Envelope:
        """The head, signed.

        A DSSE envelope; its payload is a `Head`. With it, a log can be checked without this service.

        Args:
            at: The head after this event (default: the last).
        """
        return cast(
            "types.Envelope", await self.send(call("GET", f"/v1/games/{part(game_id)}/proof", query={"at": at}))
        )

    async def prove_consistency(
        self, game_id: str, *, from_: int | None = None, head: str | None = None
    ) -> types.Consistency:
        """That an older head is a beginning of the record.

        The events after it, and the head as it is signed now: whoever has the older head chains the one to the
        other.

        Args:
            from_: Its version.
            head: Its hash.
        """
        return cast(
            "types.Consistency",
            await self.send(
                call("GET", f"/v1/games/{part(game_id)}/proof/consistency", query={"from": from_, "head": head})
            ),
        )

    async def list_shares(self, game_id: str) -> types.ShareList:
        """The links to a game.

        Those that are open, oldest first.
        """
        return cast("types.ShareList", await self.send(call("GET", f"/v1/games/{part(game_id)}/shares")))

    async def share_game(self, game_id: str) -> types.Share:
        """Make a link to a game.

        Whoever has it may replay and watch the game, and nothing else, until it is withdrawn, or the token that
        gave it ends. There is nothing to choose: the body is empty.
        """
        return cast("types.Share", await self.send(call("POST", f"/v1/games/{part(game_id)}/shares")))

    async def get_share(self, game_id: str, token: str) -> types.Share:
        """A link.

        While it is open.
        """
        return cast("types.Share", await self.send(call("GET", f"/v1/games/{part(game_id)}/shares/{part(token)}")))

    async def withdraw_share(self, game_id: str, token: str) -> None:
        """Withdraw a link.

        It leads nowhere from now on.
        """
        await self.send(call("DELETE", f"/v1/games/{part(game_id)}/shares/{part(token)}", form="nothing"))

    async def list_tokens(self, *, limit: int | None = None, cursor: str | None = None) -> types.TokenList:
        """The tokens that one may withdraw.

        An admin all of them (one of a single game those for that game), others those that they gave; newest
        first.

        Args:
            limit: How many at the most.
            cursor: The `next_cursor` of the page before.
        """
        return cast(
            "types.TokenList", await self.send(call("GET", "/v1/tokens", query={"limit": limit, "cursor": cursor}))
        )

    async def give_token(self, body: types.NewToken) -> types.GivenToken:
        """Give a token.

        Its text is told here and never again. Nobody gives more than they have: no higher role, no other game
        or seat, no later end. It ends when the token that gave it does. An open service gives them to its own
        machine alone.
        """
        return cast("types.GivenToken", await self.send(call("POST", "/v1/tokens", body=body)))

    async def get_token(self, token_id: str) -> types.Token:
        """A token.

        Without its text.
        """
        return cast("types.Token", await self.send(call("GET", f"/v1/tokens/{part(token_id)}")))

    async def withdraw_token(self, token_id: str) -> None:
        """Withdraw a token.

        It ends at once, with its open streams and all that it gave. Whoever has one may withdraw it.
        """
        await self.send(call("DELETE", f"/v1/tokens/{part(token_id)}", form="nothing"))

    async def list_webhooks(self, *, limit: int | None = None, cursor: str | None = None) -> types.WebhookList:
        """The webhooks that one may remove.

        An admin all of them (one of a single game those for that game), others those that they made; newest
        first.

        Args:
            limit: How many at the most.
            cursor: The `next_cursor` of the page before.
        """
        return cast(
            "types.WebhookList", await self.send(call("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor}))
        )

    async def make_webhook(self, body: types.NewWebhook) -> types.MadeWebhook:
        """Have events sent somewhere.

        Every event that is appended from now on, of the types and games that are asked for, is sent by POST,
        signed by Standard Webhooks with the `secret` that is told here and never again. It is sent what
        everybody may see of those games that the token is for, and nothing more once that token ends.
        """
        return cast("types.MadeWebhook", await self.send(call("POST", "/v1/webhooks", body=body)))

    async def get_webhook(self, webhook_id: str) -> types.Webhook:
        """A webhook.

        Without its secret.
        """
        return cast("types.Webhook", await self.send(call("GET", f"/v1/webhooks/{part(webhook_id)}")))

    async def remove_webhook(self, webhook_id: str) -> None:
        """Remove a webhook.

        Nothing is sent by it any more, and what was is forgotten.
        """
        await self.send(call("DELETE", f"/v1/webhooks/{part(webhook_id)}", form="nothing"))

    async def list_deliveries(self, webhook_id: str, *, limit: int | None = None) -> types.DeliveryList:
        """What was sent by a webhook.

        Each event as it was when it was tried last, newest first; the last 200 are kept.

        Args:
            limit: How many at the most.
        """
        return cast(
            "types.DeliveryList",
            await self.send(call("GET", f"/v1/webhooks/{part(webhook_id)}/deliveries", query={"limit": limit})),
        )

    async def retry_delivery(self, webhook_id: str, delivery_id: str) -> types.Retried:
        """Send an event again.

        At once, whatever came of it before; any event of a game that the webhook is for will do, listed or not:
        its delivery is called `{game}-{seq}`. Where its receiver takes it, a webhook that was failing is active
        again.
        """
        return cast(
            "types.Retried",
            await self.send(call("POST", f"/v1/webhooks/{part(webhook_id)}/deliveries/{part(delivery_id)}/retry")),
        )

    async def audit_game(self, game_id: str, body: types.OrderAudit | None = None) -> types.Audit:
        """Audit a game.

        A worker replays all of it and judges every event; `Location` is where to look for the report. With
        `rules`, the report also tells where another version of the rules would have said something else.
        """
        return cast("types.Audit", await self.send(call("POST", f"/v1/games/{part(game_id)}/audits", body=body)))

    async def get_audit(self, game_id: str, audit_id: str) -> types.Audit:
        """An audit's report.

        Once `status` is `done`; until then how far it is.
        """
        return cast("types.Audit", await self.send(call("GET", f"/v1/games/{part(game_id)}/audits/{part(audit_id)}")))

    async def import_game(
        self,
        body: str | bytes,
        *,
        media_type: Literal[
            "application/json",
            "application/x-ndjson",
            "text/x-driftlog",
            "text/csv",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ],
        idempotency_key: str | None = None,
    ) -> types.Job | types.ImportedGame:
        """Import an exported log.

        It comes back as a new game with the same events. Every event is replayed and verified first; a long
        log, and one that plays parts of itself again, by a worker (202), which `Location` follows. What is
        wrong with it is the job's `error` then. What was written by hand becomes a new record, and `items` says
        what became of each line.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.ImportedGame",
            await self.send(
                call(
                    "POST",
                    "/v1/imports",
                    headers={"Idempotency-Key": idempotency_key},
                    content=body,
                    media_type=media_type,
                    is_keyed=True,
                )
            ),
        )

    async def get_job(self, job_id: str) -> types.Job:
        """How far long work is.

        Ask again until `status` is `done` or `failed`.
        """
        return cast("types.Job", await self.send(call("GET", f"/v1/jobs/{part(job_id)}")))

    async def read_text(
        self,
        body: str | bytes,
        *,
        media_type: Literal[
            "text/x-driftlog", "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        ],
    ) -> types.Reading:
        """Read a game that was written by hand.

        In the notation, or in a sheet (`GET /v1/rulesets/{id}/template.xlsx`): what each line would become, in
        words, with what is missing, irregular or wrong; nothing is kept. An import of the same (`POST
        /v1/imports`) makes it a record.
        """
        return cast("types.Reading", await self.send(call("POST", "/v1/readings", content=body, media_type=media_type)))

    async def export_games(self, body: types.OrderExport, *, idempotency_key: str | None = None) -> types.Job:
        """Export many games.

        A worker writes all that fit into one zip: a file a game, or files that have all of them, as the format
        is, and a `manifest.json` that says what became of each. `Location` is the job; when it is done, its
        `result.file` is where to fetch the zip, for 24 hours.

        Args:
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job",
            await self.send(
                call("POST", "/v1/exports", headers={"Idempotency-Key": idempotency_key}, body=body, is_keyed=True)
            ),
        )

    async def list_export_formats(self) -> types.FormatList:
        """What a log can be exported in.

        Every format that this service can write: those that take an extra are missing where it is not
        installed.
        """
        return cast("types.FormatList", await self.send(call("GET", "/v1/export-formats")))

    async def find_plays(
        self,
        *,
        ruleset: str | None = None,
        player: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> types.PastPlayList:
        """Find past plays.

        Newest first. They count in the figures of their rulesets and players, as games that have ended do.

        Args:
            ruleset: The id of a ruleset.
            player: A player's whole name, in any case.
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast(
            "types.PastPlayList",
            await self.send(
                call("GET", "/v1/plays", query={"ruleset": ruleset, "player": player, "limit": limit, "cursor": cursor})
            ),
        )

    async def import_plays(
        self,
        body: str | bytes,
        *,
        media_type: Literal["application/vnd.bgstats.play+json"],
        again: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Job | types.PlaysTakenIn:
        """Import plays of BG Stats.

        A `.bgsplay` file, or the app's own export of everything. Each play of a game that is known here becomes
        a past play, once, however often it comes: who played, who won, when, how long and where. The answer
        says what became of each. A long file is taken in by a worker (202), which `Location` follows; the job's
        `result` is the same.

        Args:
            again: Whether to take in also those that were taken out here.
            idempotency_key: The same key with the same body is done once, and answered the same again.
        """
        return cast(
            "types.Job | types.PlaysTakenIn",
            await self.send(
                call(
                    "POST",
                    "/v1/plays",
                    query={"again": again},
                    headers={"Idempotency-Key": idempotency_key},
                    content=body,
                    media_type=media_type,
                    is_keyed=True,
                )
            ),
        )

    async def export_plays(self, *, ruleset: str | None = None, player: str | None = None) -> str:
        """Export past plays.

        As BG Stats takes them in, each under the UUID with which it came.

        Args:
            ruleset: The id of a ruleset.
            player: A player's whole name, in any case.
        """
        return cast(
            "str",
            await self.send(call("GET", "/v1/plays/export", query={"ruleset": ruleset, "player": player}, form="text")),
        )

    async def get_play(self, play_id: str) -> types.PastPlay:
        """What a past play is.

        By its UUID, in lower case.
        """
        return cast("types.PastPlay", await self.send(call("GET", f"/v1/plays/{part(play_id)}")))

    async def take_out_play(self, play_id: str) -> None:
        """Take a past play out.

        It counts no more, and an import of the same file does not bring it back, unless that is asked for
        (`again`).
        """
        await self.send(call("DELETE", f"/v1/plays/{part(play_id)}", form="nothing"))

    async def read_access_log(self, *, limit: int | None = None, cursor: str | None = None) -> types.UseList:
        """Who used an admin's rights.

        Or others that not everybody has: gave a token, looked at what another seat hides, corrected what
        somebody else recorded. Newest first; of admins the last 10,000 are kept, and as many of others. What
        was asked for stands there before it is done, and whatever came of it.

        Args:
            limit: How many at the most.
            cursor: From the page before.
        """
        return cast(
            "types.UseList", await self.send(call("GET", "/v1/access-log", query={"limit": limit, "cursor": cursor}))
        )

    async def list_hidden_names(self) -> types.HiddenNameList:
        """The names that are taken out of the list.

        By name.
        """
        return cast("types.HiddenNameList", await self.send(call("GET", "/v1/hidden-names")))

    async def hide_name(self, name: str) -> types.HiddenName:
        """Take a name out of the list.

        In any case of its letters. Lists, search, players' pages and their figures do not tell it any more: in
        a list `…` stands in its place, and a tag in which it stands as words of its own is left out. The logs
        keep it, with their hashes: whoever may open a game still reads who played.
        """
        return cast("types.HiddenName", await self.send(call("PUT", f"/v1/hidden-names/{part(name)}")))

    async def show_name(self, name: str) -> None:
        """Put a name into the list again.

        As if it had never been hidden.
        """
        await self.send(call("DELETE", f"/v1/hidden-names/{part(name)}", form="nothing"))

    async def get_session(self) -> types.Session:
        """As whom one asks.

        By the token that comes with the request, in a cookie or not.
        """
        return cast("types.Session", await self.send(call("GET", "/v1/session")))

    async def begin_session(self, body: types.BeginSession) -> types.Session:
        """Begin a session.

        The browser sends the token from now on, in a cookie that no script reads, until it ends.
        `/enter#<token>` is the page that does this.
        """
        return cast("types.Session", await self.send(call("POST", "/v1/session", body=body)))

    async def end_session(self) -> None:
        """End a session.

        The browser forgets the token, which is still one: `DELETE /v1/tokens/{id}` withdraws it.
        """
        await self.send(call("DELETE", "/v1/session", form="nothing"))

    async def get_health(self) -> types.Health:
        """Whether the process is up.

        It asks nobody else: an answer is all there is to know.
        """
        return cast("types.Health", await self.send(call("GET", "/healthz")))

    async def get_readiness(self) -> types.Readiness:
        """Whether the store takes writes, and workers are there.

        By a small write, at most one a second. `detail` of a 503 says what is in the way. Where the archive is
        not to be reached, all but what needs an archived log goes on: `archive` says so, and it is ready.
        """
        return cast("types.Readiness", await self.send(call("GET", "/readyz")))

    async def get_metrics(self) -> str:
        """Figures for Prometheus.

        Of all web processes, and of what the store and the queue tell; docs/metrics.md lists them.
        """
        return cast("str", await self.send(call("GET", "/metrics", form="text")))

    async def get_contract(self) -> str:
        """The contract.

        This document.
        """
        return cast("str", await self.send(call("GET", "/openapi.yaml", form="text")))
