"""`driftlog verify` and `driftlog audit`: exported logs judged without a service."""

from __future__ import annotations

import sys

import click
import msgspec

from cli.options import files_argument, one_by_one
from cli.terminal import WrongUsage, bar, out, tell


@click.command()
@files_argument
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A key to trust: a file (PEM, JWK, or what /v1/keys answers), or the key's id. Then all has to be signed.",
)
@click.option("--proof", help="A file with the game's signed head, from its /proof.")
def verify(files: tuple[str, ...], keys: tuple[str, ...], proof: str | None) -> None:
    """Verify exported logs: signature, hash chain, every rule, and seed; - is standard input.

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
@click.option("--rules", metavar="VERSION", help="Compare with this version of the rules.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def audit(file: str, rules: str | None, *, as_json: bool) -> None:
    """Audit an exported log: hash chain, every rule, corrections and luck.

    It needs no service; - is standard input. Exit codes: 0 clean; 1 there are findings; 2 it is broken, or no log.
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
