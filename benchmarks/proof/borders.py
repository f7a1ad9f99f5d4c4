"""How many borders of bundles are found: `python -m benchmarks.proof.borders [--data DIR] [--bundles N]`.

A bundle is four documents of the folder, one behind the other; long invoices are made beside them, so that there are
page turns inside documents too. Beside what is proposed stand, in the same run, the borders by printed page numbers
alone and by similarity alone.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
django.setup()

from benchmarks.agent_tasks.papers import Invoice, Item  # noqa: E402 - needs Django set up
from documents.intake.borders import propose_borders  # noqa: E402
from documents.intake.borders.page_signs import PageToRead, read_signs  # noqa: E402
from documents.reading.similarity import measure_similarity  # noqa: E402
from kit.errors import AppError  # noqa: E402
from reader.pool.readers import ReaderPool  # noqa: E402
from reader.words import Word  # noqa: E402

DEFAULT_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
SUFFIXES = {".pdf", ".jpg", ".png", ".docx", ".odt", ".rtf", ".txt", ".eml", ".html"}
IN_A_BUNDLE = 4
# Below it lie four of five borders, when nothing else is looked at.
SKETCH = 0.13
MAX_PAGES = 12
VENDORS = ("Kestrel Paper Ltd", "Ostrava Tools s.r.o.", "Blaue Feder GmbH", "Luc et fils SARL", "Northwind Trading Inc")

Bundle = list[PageToRead]
Pages = list[tuple[list[Word], float]]


def read_documents(folder: Path) -> dict[str, Pages]:
    pool = ReaderPool(1)
    try:
        with tempfile.TemporaryDirectory() as made:
            files = [*sorted(folder.rglob("*")), *write_long_invoices(Path(made))]
            return {file.name: pages for file in files if file.suffix in SUFFIXES and (pages := read(pool, file))}
    finally:
        pool.close()


def read(pool: ReaderPool, file: Path) -> Pages:
    try:
        count = min(pool.inspect(file).page_count, MAX_PAGES)
        return [(list(page.words), page.width / page.height) for page in pool.read(file, range(1, count + 1))]
    except AppError as error:
        print(f"left out: {file.name}: {error.sentence}")
        return []


def write_long_invoices(folder: Path) -> Iterator[Path]:
    for at, vendor in enumerate(VENDORS):
        items = [Item(f"Part {at}{row} of steel", row % 7 + 1, Decimal(row * 3 + at) / 4) for row in range(1, 160)]
        file = folder / f"long_{at}.txt"
        file.write_text(Invoice(vendor, f"L-{at}77{at}", "2026-03-04", "2026-04-04", items).print())
        yield file


def make_bundle(documents: Sequence[Pages]) -> tuple[Bundle, set[int]]:
    pages = [page for document in documents for page in document]
    begins, at = set(), 1
    for document in documents[:-1]:
        at += len(document)
        begins.add(at)
    return [PageToRead(number, *page) for number, page in enumerate(pages, start=1)], begins


def by_page_numbers(bundle: Bundle) -> set[int]:
    signs = list(map(read_signs, bundle))
    return {
        page.number
        for before, page in pairwise(signs)
        if (page.count and page.count.number == 1) or (before.count and before.count.number == before.count.last)
    }


def by_similarity(bundle: Bundle) -> set[int]:
    signs = list(map(read_signs, bundle))
    return {page.number for before, page in pairwise(signs) if measure_similarity(before.sketch, page.sketch) < SKETCH}


def by_all(bundle: Bundle) -> set[int]:
    return {border.page for border in propose_borders(bundle)}


WAYS: dict[str, Callable[[Bundle], set[int]]] = {
    "page numbers": by_page_numbers,
    "similarity": by_similarity,
    "proposed": by_all,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--bundles", type=int, default=40)
    parser.add_argument("--missed", action="store_true", help="name the borders that were missed or are none")
    options = parser.parse_args()
    documents = read_documents(options.data)
    chance = random.Random(35)
    chosen = [chance.sample(sorted(documents), IN_A_BUNDLE) for _ in range(options.bundles)]
    bundles = [(names, *make_bundle([documents[name] for name in names])) for names in chosen]
    borders = sum(len(begins) for _, _, begins in bundles)
    turns = sum(len(bundle) - 1 - len(begins) for _, bundle, begins in bundles)
    print(f"{len(documents)} documents, {len(bundles)} bundles")
    for name, way in WAYS.items():
        outcomes = [(names, way(bundle), begins) for names, bundle, begins in bundles]
        found = sum(len(proposed & begins) for _, proposed, begins in outcomes)
        false = sum(len(proposed - begins) for _, proposed, begins in outcomes)
        print(f"{name:13} {found:4} of {borders} borders, {false:3} of {turns} page turns proposed wrongly")
        if options.missed and way is by_all:
            for names, proposed, begins in outcomes:
                print(f"  {', '.join(names)}: missed {sorted(begins - proposed)}, none {sorted(proposed - begins)}")


if __name__ == "__main__":
    main()
