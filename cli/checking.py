"""`driftlog verify` and `driftlog audit`: check exported logs without a service."""

from __future__ import annotations

import sys

import click
import msgspec

from cli.options import files_argument, one_by_one
from cli.terminal import WrongUsage, bar, out, print_text


@click.command()
@files_argument
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A trusted key: a file (PEM, JWK, or the answer of /v1/keys), or a key id. Every file must then be signed.",
)
@click.option("--proof", help="A file with the game's signed head, from its /proof.")
@click.option("--witness", metavar="URL|FILE", help="A witness to compare with, or a file with its statement.")
@click.option(
    "--witness-key", "witness_keys", multiple=True, metavar="KEY", help="The witness's trusted key, or a file with it."
)
def verify(
    files: tuple[str, ...], keys: tuple[str, ...], proof: str | None, witness: str | None, witness_keys: tuple[str, ...]
) -> None:
    """Verify exported logs: signature, hash chain, every rule, and seed. Use - for standard input.

    This needs no service. For each file, the command names the first event that was changed, removed, added or
    reordered. With --witness, it also detects a log that was rewritten or cut since a witness saw it. FILE can also be
    a consistency proof (then --proof is the older head), or the service's answer for a deleted game. To verify that
    game's log, pass the answer as --proof.
    """
    from cli.files import read
    from cli.verifying import Evidence, check
    from cli.witness.asking import Witness

    if proof is not None and len(files) > 1:
        raise WrongUsage("a proof belongs to one game: with --proof, give only one FILE")
    if witness_keys and witness is None:
        raise WrongUsage("--witness-key needs --witness")
    asked = None if witness is None else Witness.of(witness, witness_keys)
    evidence = Evidence.collect(keys, proof, asked)

    def judge(name: str) -> tuple[bool, str]:
        data = read(name)
        with bar(name) as progress:
            checked = check(data, evidence, progress.show)
        # Print only one line for each file, even if texts from the file contain line breaks.
        return checked.is_sound, " ".join(checked.account.splitlines())

    one_by_one(files, "verified", "FAILS", judge)


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--rules", metavar="VERSION", help="Also judge by this version of the rules, and show the differences.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def audit(file: str, rules: str | None, *, as_json: bool) -> None:
    """Audit an exported log: hash chain, every rule, corrections and luck.

    This needs no service. Use - for standard input. Exit codes: 0 clean; 1 findings, or the record was imported,
    changed by hand or begins mid-game; 2 broken, or not a log.
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
        print_text(msgspec.json.encode(report).decode())
    else:
        show(file, report, out())
    sys.exit(EXIT_CODES[report.verdict])
