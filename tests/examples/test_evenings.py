"""The answers in examples/evenings.ipynb follow from the logs, and its output is what it prints."""

from __future__ import annotations

import itertools
import json
import re
import zipfile
from pathlib import Path

from tests.examples.evenings import NOTEBOOK, export_games, play_evenings, run


def test_its_answers_are_those_of_the_logs(tmp_path: Path) -> None:
    logs = play_evenings(6)
    export_games(logs, tmp_path)
    opened, twice, mixes, evenings = run(tmp_path)

    assert opened == f"6 games, {sum(map(len, logs))} events\n"
    drawn = [[event.outcomes[0] for event in log if event.type == "draw_treasure_card"] for log in logs]
    rising = sum(cards.count("waters_rise") for cards in drawn)
    doubles = [sum(pair == ("waters_rise",) * 2 for pair in itertools.pairwise(cards)) for cards in drawn]
    expected = [sum(map(len, drawn)), rising, sum(doubles), sum(map(bool, doubles))]
    assert list(map(int, twice.split()[4:])) == expected
    assert mixes
    lengths = [(len(log) - 1) / 2 for log in logs]
    nights = [180 + lengths[2], 180 + lengths[5]]
    numbers = list(map(float, evenings.split()[5:]))
    assert numbers[:2] == [2, 3]
    assert abs(numbers[4] - max(nights)) <= 1


def test_it_takes_the_zip_as_it_was_fetched(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    export_games(play_evenings(3), folder)
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    assert run(tmp_path / "games.zip") == run(folder)


def test_it_shows_what_it_prints() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] for cell in cells)
    assert re.fullmatch(r"300 games, \d+ events\n", "".join(cells[0]["outputs"][0]["text"]))
