"""True values are to be found where they stand, and altered ones are not: `python -m benchmarks.recognition.proof`.

Made papers, whose words are known, and with `--data FOLDER` files beside `ground_truth/`. For each kind: true values
that are printed; located, similar and inferred ones; places that say something else; beside it a bare search for the
value as it is, in the same words. Then each value altered by a digit or letter: how many are still called located,
similar or inferred.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from benchmarks.recognition.made_papers import KINDS, Paper, make_papers
from documents.locate import locate
from documents.values import Location, State, Stored, add_row_ids, get_wire_path
from kit.errors import AppError
from kit.json_types import Json
from reader.pool.readers import get_pool
from reader.words import Word, join_text

Pages = list[tuple[int, list[Word]]]
LONGEST_SHORT = 3
NO_LETTERS = re.compile(r"[\W_]+")
DATE_FORMS = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%m/%d/%Y", "%d%b%Y", "%d%B%Y", "%B%d%Y")


@dataclass
class Figures:
    """`missed`: paths with what was said instead, for whoever looks into it."""

    true: Counter[str] = field(default_factory=Counter)
    altered: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        true, altered = self.true, self.altered
        located = true["exact"] + true["normalized"]
        ratios = [located / max(1, true["printed"]), true["bare"] / max(1, true["printed"])]
        counts = [true[name] for name in ("printed", "exact", "normalized", "similar", "inferred", "wrong")]
        others = [altered[name] for name in ("all", "located", "similar", "inferred")]
        return " ".join(
            [*(f"{count:6}" for count in counts), *(f"{r:6.3f}" for r in ratios), *(f"{o:6}" for o in others)]
        )


HEAD = "printed exact normal similr inferr wrong located  bare | altered located similr inferr"


def find_locations(values: Json, pages: Pages) -> dict[str, Location]:
    stored: Stored = add_row_ids(values)
    return {get_wire_path(stored, where): place for where, place in locate(stored, {}, pages).items()}


def iterate_leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in pairs:
            yield from iterate_leaves(inner, f"{path}.{name}".strip("."))
    else:
        yield path, value


def replace_leaf(value: Json, path: str, new: Json) -> Json:
    copy: Json = json.loads(json.dumps(value))
    *outer, last = path.split(".")
    here: Json = copy
    for step in outer:
        here = here[int(step)] if isinstance(here, list) else here[step]
    here[int(last) if isinstance(here, list) else last] = new
    return copy


def alter(value: Json, chance: random.Random) -> Json:
    """One digit becomes another, or one letter where there is no digit; never a slip that reads alike."""
    text = str(value)
    digits = [at for at, char in enumerate(text) if char.isdigit()]
    letters = [at for at, char in enumerate(text) if char.isalpha()]
    if not digits and not letters:
        return value
    at = chance.choice(digits or letters)
    others = "23467".replace(text[at], "") if digits else "xzqkw"
    new = text[:at] + chance.choice(others) + text[at + 1 :]
    return type(value)(new) if isinstance(value, int | float) else new


def write_forms(value: Json) -> list[str]:
    """Letters and digits of ways to write it."""
    forms = [str(value)]
    if isinstance(value, int | float) and not isinstance(value, bool):
        forms += [f"{value:.2f}", f"{value:g}"]
    elif re.fullmatch(r"\d{4}-\d\d-\d\d", str(value)):
        day = date.fromisoformat(str(value))
        forms += [day.strftime(form) for form in DATE_FORMS] + [f"{day.day}{day:%B%Y}", f"{day:%B}{day.day}{day.year}"]
    return [NO_LETTERS.sub("", form.lower()) for form in forms]


def is_printed(value: Json, text: str) -> bool:
    """Short values, as a quantity, have to be a word of their own."""
    squeezed = NO_LETTERS.sub("", text.lower())
    words = {NO_LETTERS.sub("", word) for word in text.lower().split()}
    return any(form in (squeezed if len(form) > LONGEST_SHORT else words) for form in write_forms(value))


def measure_true(values: Json, pages: Pages, figures: Figures, places: dict[str, set[str]], truth: str) -> None:
    text = " ".join(join_text(words) for _, words in pages)
    for path, place in find_locations(values, pages).items():
        value = dict(iterate_leaves(values))[path]
        if not (path in places if places else is_printed(value, truth)):
            figures.true["unprinted"] += 1
            continue
        figures.true["printed"] += 1
        figures.true[str(place.state)] += 1
        figures.true["bare"] += str(value) in text
        if places and place.boxes and not set(place.blocks) & places[path]:
            figures.true["wrong"] += 1
            figures.missed.append(f"WRONG {path} {value!r}: {place.words!r}")
        if place.state is State.NOT_LOCATED or place.state.value == "similar":
            figures.missed.append(f"{path} {value!r}: {place.state} {place.words!r} {place.note}")


def measure_altered(values: Json, pages: Pages, figures: Figures) -> None:
    chance = random.Random(5)
    text = " ".join(join_text(words) for _, words in pages)
    for path, value in iterate_leaves(values):
        altered = alter(value, chance)
        if value in (None, "") or altered == value:
            continue
        place = find_locations(replace_leaf(values, path, altered), pages)[path]
        state = "located" if place.state in (State.EXACT, State.NORMALIZED) else str(place.state)
        figures.altered["all"] += 1
        figures.altered[state] += 1
        if place.boxes:
            elsewhere = "printed elsewhere" if is_printed(altered, text) else "NOT PRINTED"
            figures.missed.append(f"ALTERED {path} {value!r} to {altered!r}: {state} {place.words!r} {elsewhere}")


def measure_papers(papers: Sequence[Paper]) -> Figures:
    figures = Figures()
    for paper in papers:
        pages: Pages = [(1, paper.words)]
        measure_true(paper.values, pages, figures, paper.places, "")
        measure_altered(paper.values, pages, figures)
    return figures


def measure_files(folder: Path) -> Iterator[tuple[str, Figures]]:
    pool = get_pool()
    by_kind: dict[str, Figures] = {}
    for file in sorted((folder / "files").iterdir()):
        truth = _read_truth(file, folder / "ground_truth")
        if not isinstance(truth.get("fields"), dict):
            continue
        try:
            count = pool.inspect(file).page_count
            pages = [(page.number, list(page.words)) for page in pool.read(file, range(1, count + 1))]
        except AppError:
            continue
        figures = by_kind.setdefault("receipts" if file.name.startswith("sroie") else "files", Figures())
        lines = " ".join(line["text"] for line in truth.get("lines", ()))
        measure_true(truth["fields"], pages, figures, {}, lines or " ".join(join_text(words) for _, words in pages))
        measure_altered(truth["fields"], pages, figures)
    yield from by_kind.items()


def _read_truth(file: Path, folder: Path) -> dict[str, Json]:
    for name in (f"{file.name}.json", f"{file.stem}.json"):
        if (folder / name).exists():
            truth: dict[str, Json] = json.loads((folder / name).read_text())
            return truth
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--papers", type=int, default=27)
    parser.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    print(f"{'':26} {HEAD}")
    made = ((kind, measure_papers(list(make_papers(kind, options.papers)))) for kind in KINDS)
    for kinds in (made, measure_files(options.data) if options.data else ()):
        for kind, figures in kinds:
            print(f"{kind:26} {figures}", flush=True)
            if options.missed:
                print(*figures.missed, sep="\n")


if __name__ == "__main__":
    main()
