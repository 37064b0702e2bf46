"""The commands of logs as files: fetched from a service, brought back, verified and audited."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from cli.client import Client
from cli.options import RESULTS, STATUSES, one_by_one
from cli.remote import url_option
from cli.terminal import Negative, WrongUsage, bar, err, escape, out, tell

files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=True, allow_dash=True)
)


class FormatName(click.ParamType[str]):
    """The name of a format of logs. They are read when they are asked for: that takes as long as all the rest."""

    name = "format"

    def __init__(self, *, for_many: bool = False) -> None:
        """
        Args:
            for_many: only formats that many games can be written in.
        """
        self._for_many = for_many

    @property
    def _choice(self) -> click.Choice[str]:
        from exports import FORMATS

        return click.Choice([kind.name for kind in FORMATS.values() if kind.many or not self._for_many])

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self._choice.get_metavar(param, ctx)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return self._choice.convert(value, param, ctx)


@click.command()
@click.argument("game")
@click.option(
    "--format", type=FormatName(), default="json", show_default=True, help="How it is written: docs/formats.md."
)
@click.option(
    "--columns",
    type=click.Choice(["game", "all"]),
    help="Of csv: the columns of this game, or of all rulesets.  [default: game]",
)
@click.option("--viewer", help="What this seat could see, such as p2.  [default: what everyone could]")
@click.option("--until", type=click.IntRange(min=1), metavar="SEQ", help="As it was after this event.  [default: now]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [default: standard output]"
)
@click.option(
    "--proof",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file for the signed head; json has it in the log itself.",
)
@url_option
def export(game: str, output: Path | None, proof: Path | None, url: str, **asked: str | int | None) -> None:
    """Fetch the whole log of GAME as a file."""
    from cli.files import fetch

    query = {name: str(value) for name, value in asked.items() if value is not None}
    fetch(Client(url), game, query, output, proof)


@click.command(name="export-games")
@click.option(
    "--format",
    type=FormatName(for_many=True),
    default="json",
    show_default=True,
    help="How each is written: docs/formats.md.",
)
@click.option("--ruleset", metavar="ID", help="Only games of this ruleset.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games that are so far.")
@click.option("--result", type=click.Choice(RESULTS), help="Only games that ended so.")
@click.option("--player", metavar="NAME", help="Only games in which somebody of that name plays.")
@click.option("--tag", help="Only games with this tag.")
@click.option("--from", metavar="TIME", help="Only games opened then or later (RFC 3339).")
@click.option("--to", metavar="TIME", help="Only games opened before that.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The zip; - is standard output.",
)
@url_option
def export_games(output: Path, url: str, **order: str | None) -> None:
    """Fetch many games in one zip: a file each, or, as sqlite and parquet, all in the same."""
    from cli.files import fetch_many

    fetch_many(Client(url), {name: value for name, value in order.items() if value is not None}, output)


@click.command(name="import")
@files_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["json", "ndjson", "notation", "csv", "xlsx", "scoresheet", "bgstats"]),
    help="What the files are: docs/formats.md.  [default: as each looks]",
)
@url_option
def import_(files: tuple[str, ...], format_: str | None, url: str) -> None:
    """Bring exported logs back as games; - is standard input.

    Every event is replayed and verified first. A bad file does not keep the others out, and the same file twice is the
    same game. A game that was written by hand, as a text or in a sheet (docs/notation.md), becomes a new record; lines
    of which something is missing, or not by the rules, are named. So does a scoresheet, such as examples/ has. What
    BG Stats knows becomes past plays, without a log; what becomes of each is counted, and one that is broken is named.
    """
    from cli.files import BGSTATS, bring, looks_like, read, take_in

    client = Client(url)

    def judge(name: str) -> tuple[bool, str]:
        try:
            data = read(name)
            looks = format_ or looks_like(data)
            if looks == BGSTATS:
                account, doubts = take_in(client, data)
                for doubt in doubts:
                    err().print(escape(f"{name}, {doubt}"), soft_wrap=True)
                return True, account
            ids, doubts = bring(client, data, looks)
            for doubt in doubts:
                err().print(escape(f"{name}, {doubt}"), soft_wrap=True)
            return True, ", ".join(ids)
        except Negative as refused:
            return False, refused.message

    one_by_one(files, "imported", "REFUSED", judge)


@click.command()
@files_argument
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A key to trust: a file (PEM, JWK, or what /v1/keys answers), or the key's id. Then all has to be signed.",
)
@click.option("--proof", help="A file with the signed head of the game, as its /proof answers.")
def verify(files: tuple[str, ...], keys: tuple[str, ...], proof: str | None) -> None:
    """Judge exported logs: the signature, the chain, every rule, and the seed of a seeded game; - is standard input.

    It needs no service. The first event that was changed, removed, added or reordered is named. A bad file does not
    keep the others from being judged. A FILE can also be a consistency proof; --proof is then the older head. What the
    service answers of a game that was deleted is a FILE, too, and a --proof that a log was that game's.
    """
    from cli.files import read
    from cli.verifying import Evidence, check

    if proof is not None and len(files) > 1:
        raise WrongUsage("a proof is of one game: give one FILE with it")
    evidence = Evidence.gathered(keys, proof)

    def judge(name: str) -> tuple[bool, str]:
        data = read(name)
        with bar(name) as progress:
            checked = check(data, evidence, progress.show)
        return checked.is_sound, checked.account

    one_by_one(files, "verified", "FAILS", judge)


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--rules", metavar="VERSION", help="Compare with what this version of the rules says.")
@click.option("--json", "as_json", is_flag=True, help="The whole report, as JSON.")
def audit(file: str, rules: str | None, *, as_json: bool) -> None:
    """Audit an exported log: the chain, every rule, corrections, luck, and what else is to be known of it.

    It needs no service; - is standard input. Exit codes: 0 clean; 1 there are findings, or the record was changed by
    hand or begins in mid-game; 2 it is broken, or no log.
    """
    from cli.audits import EXIT_CODES, examine, show
    from cli.files import read

    try:
        data = read(file)
    except OSError as error:
        raise WrongUsage(f"{file} cannot be read: {error.strerror}") from None
    with bar(file) as progress:
        report = examine(data, rules, progress.show)
    if as_json:
        tell(msgspec.json.encode(report).decode())
    else:
        show(file, report, out())
    sys.exit(EXIT_CODES[report.verdict])


COMMANDS = (export, export_games, import_, verify, audit)
