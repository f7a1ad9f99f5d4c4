"""Whether null is explained rightly: `python -m benchmarks.proof.absence [--count N] [--seed N]`.

Invoices are made in eight languages and six layouts, with fields left out at random. Of each field that is not printed
nothing may be said to be left out; each printed one is withheld once, and has to be found beside its label. In the same
run the offline model answers the same pages: how many of the printed fields it gives, and how many it invents.
"""

from __future__ import annotations

import argparse
import io
import random
from collections import Counter
from collections.abc import Iterator

from benchmarks.recognition.invoices.facts import Facts, Truth, make_facts
from benchmarks.recognition.invoices.pages import LAYOUTS, write_invoice
from benchmarks.recognition.invoices.words import LANGUAGES
from benchmarks.recognition.offline_fields import LIMITS, judge_all, make_schema, mark_words
from documents.locate import locate
from documents.locate.absence import prove_absence
from documents.values import State, add_row_ids
from offline_model.fields.extraction import extract
from offline_model.fields.layout import read_layout
from reader.pdf.source import PdfSource
from reader.words import Word

# These stand on a page without a label, so nobody can say where one is missing.
UNLABELLED = ("vendor", "customer", "currency", "line_items")
Pages = list[tuple[int, list[Word]]]


def make_invoices(seed: int, count: int) -> Iterator[tuple[Truth, Pages]]:
    for words in LANGUAGES:
        for layout in LAYOUTS:
            for at in range(count):
                facts = make_facts(words, random.Random(f"{seed}{words.language}{layout}{at}"))
                yield facts.truth, _read(layout, facts)


def _read(layout: str, facts: Facts) -> Pages:
    page = PdfSource(io.BytesIO(write_invoice(layout, facts)), None, LIMITS).read(1, "text-layer")
    return [(1, list(page.words))]


def judge(truth: Truth, pages: Pages) -> Iterator[str]:
    """A word for each field without a value, printed or not."""
    schema = make_schema(truth)
    properties = schema["properties"]
    asked = [name for name in truth if isinstance(properties, dict) and name in properties and name not in UNLABELLED]
    for name in asked:
        is_printed = truth[name] not in (None, "")
        given = add_row_ids({each: None if each == name else truth[each] for each in truth if each in asked}, schema)
        places = locate(given, schema, pages)
        state = prove_absence(given, schema, places, pages)[name].state
        yield f"{'printed' if is_printed else 'missing'} {'left out' if state is State.LEFT_OUT else 'absent'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=350)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    offline: Counter[str] = Counter()
    for truth, pages in make_invoices(options.seed, options.count):
        counts.update(judge(truth, pages))
        answer = extract(read_layout(mark_words(pages)), make_schema(truth))
        offline.update(outcome for _, outcome in judge_all(answer, truth) if outcome)
    printed = counts["printed left out"] + counts["printed absent"]
    missing = counts["missing left out"] + counts["missing absent"]
    print(f"withheld fields found beside their label: {counts['printed left out']} of {printed}")
    print(f"fields that are not printed said to be left out: {counts['missing left out']} of {missing}")
    given = offline["right"] + offline["wrong"]
    print(f"offline model: {given} of {given + offline['silent']} printed values given, {offline['invented']} invented")


if __name__ == "__main__":
    main()
