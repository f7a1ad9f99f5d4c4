"""Types of documents by rules alone: `python -m benchmarks.document_types [--data FOLDER] [--show]`.

`FOLDER/documents.jsonl` holds labelled pages; each is read by the product's reader of texts. Right, unsure and wrong
are shares of all. The pages of `tests/data/document_types`, by the author of the rules, are printed apart.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from documents.types.page_lines import TypeLine, read_lines
from documents.types.rules import Verdict, classify
from reader.opening import open_source
from reader.pages import Limits

LIMITS = Limits(max_bytes=1_000_000, max_pages=20, max_pixels=60_000_000)
OWN = Path(__file__).resolve().parent.parent / "tests" / "data" / "document_types"


@dataclass(frozen=True)
class LabelledPage:
    id: str
    text: str
    language: str
    type: str
    hard: bool = False
    also: tuple[str, ...] = field(default=())


def load_own_pages(folder: Path = OWN) -> list[LabelledPage]:
    return [page for path in sorted(folder.glob("*.txt")) for page in _split_pages(path)]


def _split_pages(path: Path) -> Iterable[LabelledPage]:
    for number, part in enumerate(path.read_text(encoding="utf-8").split("### ")[1:], start=1):
        head, _, text = part.partition("\n")
        name = head.removesuffix(" hard")
        yield LabelledPage(f"{path.stem}-{number}", text, path.stem, name, hard=head.endswith(" hard"))


def load_pages(folder: Path) -> list[LabelledPage]:
    rows = map(json.loads, (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        LabelledPage(row["id"], row["text"], row["language"], row["type"], row["hard"], tuple(row.get("also", ())))
        for row in rows
    ]


def read_text_lines(text: str) -> list[TypeLine]:
    """As the product reads a text file: words with boxes, in lines."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        _, source = open_source(file, None, LIMITS, as_lines=True)
        pages = [source.read(number, "auto") for number in range(1, len(source.sizes) + 1)]
        source.close()
    return [line for number, page in enumerate(pages, start=1) for line in read_lines(number, page.words)]


def judge(page: LabelledPage, verdict: Verdict) -> str:
    if verdict.type == page.type:
        return "right"
    return "unsure" if not verdict.type or verdict.type in page.also else "wrong"


def measure(pages: Sequence[LabelledPage]) -> list[tuple[LabelledPage, Verdict, str]]:
    verdicts = [(page, classify(read_text_lines(page.text))) for page in pages]
    return [(page, verdict, judge(page, verdict)) for page, verdict in verdicts]


def measure_cpu(pages: Sequence[LabelledPage]) -> float:
    """Milliseconds a page, without reading it."""
    read = [read_text_lines(page.text) for page in pages]
    began = process_time()
    for lines in read:
        classify(lines)
    return (process_time() - began) * 1000 / len(pages)


def print_shares(title: str, states: Sequence[str]) -> None:
    counts = Counter(states)
    shares = "  ".join(f"{state} {counts[state] / max(1, len(states)):.3f}" for state in ("right", "unsure", "wrong"))
    print(f"{title:<18}{len(states):>4}  {shares}")


def print_results(title: str, results: Sequence[tuple[LabelledPage, Verdict, str]], *, show: bool) -> None:
    print_shares(title, [state for *_, state in results])
    print_shares("  hard", [state for page, _, state in results if page.hard])
    for attribute in ("language", "type"):
        for value in sorted({getattr(page, attribute) for page, *_ in results}):
            print_shares(f"  {value}", [state for page, _, state in results if getattr(page, attribute) == value])
    confusions = Counter(f"{page.type} as {verdict.type}" for page, verdict, state in results if state == "wrong")
    print("  confusions:", ", ".join(f"{name} ({count})" for name, count in confusions.items()) or "none")
    invoices = sum(page.type == "contract" and verdict.type == "invoice" for page, verdict, _ in results)
    identities = sum(page.type == "identity paper" and state == "wrong" for page, _, state in results)
    print(f"  contract answered as invoice: {invoices}; identity paper as anything else: {identities}\n")
    for page, verdict, state in results if show else ():
        if state != "right":
            print(
                f"  {page.id} {page.type}: {state} {verdict.type or verdict.likely} {list(verdict.scores.items())[:4]}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.data:
        print_results("given pages", measure(load_pages(options.data)), show=options.show)
    own = load_own_pages()
    print_results("own pages", measure(own), show=options.show)
    print(f"CPU of the rules: {measure_cpu(own):.1f} ms a page")


if __name__ == "__main__":
    main()
