"""Fields that no page says: `python -m benchmarks.proof.null_answers [--count N] [--seed N] [--data DIR]`.

Invoices are made in eight languages and eight layouts, a third of their fields left out; `--data` takes a folder of
`files` and `ground_truth` instead, and asks for more fields than its papers have. Each is uploaded, read and extracted
by the product. Printed are the present fields that were answered and were right, and the absent ones that were
invented: by a careful model (`careful_model.py`) with the product's prompt, with a schema that requires every field,
and by the same model where the prompt did not speak of null; by the offline model; and by a bare reader of labels. The
last column is how many of the empty fields are explained as absent.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings

from benchmarks.agent_tasks.office import Office
from benchmarks.proof.careful_model import CarefulModel, is_readable
from benchmarks.recognition.invoices.facts import Truth, make_facts
from benchmarks.recognition.invoices.pages import LAYOUTS, write_invoice
from benchmarks.recognition.invoices.words import LANGUAGES
from benchmarks.recognition.offline_fields import DATES, NUMBERS, TEXTS, judge, read_bare
from benchmarks.recognition.reading import truth_of
from documents import extractions
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, Page
from documents.values import State
from reader.words import join_text, unpack

OFFLINE = "offline/rules"
ASKED_BESIDES = ("iban", "due_date", "po_number", "delivery_date", "contract_number", "prepaid_amount")
"""None of the papers with a ground truth prints one that the truth does not name."""
PICTURES = (".jpg", ".png")
KINDS = dict.fromkeys(TEXTS, "string") | dict.fromkeys(DATES, "string") | dict.fromkeys(NUMBERS, "number")


@dataclass
class Way:
    """`required`: the schema requires every field and takes no null."""

    name: str
    model: str = ""
    required: bool = False
    reads_null: bool = True
    outcomes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counts = self.outcomes
        present, absent = counts["right"] + counts["wrong"] + counts["silent"], counts["invented"] + counts["empty"]
        answered = (counts["right"] + counts["wrong"]) / max(1, present)
        right, invented = counts["right"] / max(1, present), counts["invented"] / max(1, absent)
        explained = f"{counts['explained']} of {counts['empty']}" if counts["explained"] else ""
        return (
            f"{self.name:42} {answered:8.1%} {right:8.1%} of {present:5}   {invented:7.1%} of {absent:5}   {explained}"
        )


def list_ways() -> list[Way]:
    return [
        Way("careful model"),
        Way("careful model, every field required", required=True),
        Way("careful model, no word about null", reads_null=False),
        Way("offline model", model=OFFLINE),
    ]


def make_format(truth: Truth, *, required: bool) -> dict[str, Any]:
    names = [name for name in truth if name in KINDS or name in ASKED_BESIDES]
    properties = {name: make_field(name, required=required) for name in names}
    schema = {"type": "object", "properties": properties, **({"required": names} if required else {})}
    return {"type": "json_schema", "json_schema": {"name": "invoice", "strict": required, "schema": schema}}


def make_field(name: str, *, required: bool) -> dict[str, Any]:
    kind = KINDS.get(name, "number" if name.endswith("amount") else "string")
    made = {"type": kind if required else [kind, "null"], "description": name.replace("_", " ").capitalize()}
    return {**made, **({"format": "date"} if name.endswith("_date") else {})}


def make_papers(seed: int, count: int) -> Iterator[tuple[str, bytes, Truth]]:
    for words in LANGUAGES:
        for layout in LAYOUTS:
            for at in range(count):
                facts = make_facts(words, random.Random(f"{seed}{words.language}{layout}{at}"))
                yield f"{words.language} {layout} {at}.pdf", write_invoice(layout, facts), facts.truth


def read_papers(folder: Path) -> Iterator[tuple[str, bytes, Truth]]:
    for file in sorted((folder / "files").iterdir()):
        truth = (truth_of(file, folder / "ground_truth") or {}).get("fields")
        if isinstance(truth, dict):
            yield file.name, file.read_bytes(), {**dict.fromkeys(ASKED_BESIDES), **truth}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=350)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--show", action="store_true", help="print what is not right")
    options = parser.parse_args()
    papers = read_papers(options.data) if options.data else make_papers(options.seed, options.count)
    model = CarefulModel()
    model.start()
    settings.MODEL_API_BASE, settings.EXTRACTION_MODEL = model.base_url, model.model
    try:
        measure(Office(), model, papers, shows=options.show)
    finally:
        model.stop()


def measure(
    office: Office, model: CarefulModel, papers: Iterator[tuple[str, bytes, Truth]], *, shows: bool = False
) -> None:
    ways, bare = list_ways(), Way("bare labels")
    for name, content, truth in papers:
        document = office.upload(name, content)
        text = "\n".join(
            join_text(unpack(bytes(page.words))) for page in Page.objects.filter(reading__document=document)
        )
        truth = truth if name.endswith(PICTURES) else keep_printed(truth, text)
        for way in ways:
            model.truth, model.reads_null = truth, way.reads_null
            run = extract(office, document, way, truth)
            count(way, run, truth)
            if shows:
                show(f"{name}, {way.name}", run, truth)
        schema = make_format(truth, required=False)["json_schema"]["schema"]
        count_values(bare, read_bare(text, schema), truth, schema["properties"])
    print(f"{'':42} {'answered':>8} {'right':>8} {'of present':>10} {'invented of absent':>20}   explained as absent")
    print("\n".join(map(str, [*ways, bare])))


def show(title: str, run: Extraction | None, truth: Truth) -> None:
    for name, value in (run.current if run else {}).items():
        if (state := judge(name, value, truth[name])) not in ("right", ""):
            print(f"{title}: {name} {state}: {value!r} for {truth[name]!r}")
    if run is None:
        print(f"{title}: no result")


def keep_printed(truth: Truth, text: str) -> Truth:
    """Some papers are a part of what they were made of: a sheet of rows names no vendor."""
    return {
        name: value if value in (None, "") or name not in KINDS or is_readable(value, text) else None
        for name, value in truth.items()
    }


def extract(office: Office, document: Document, way: Way, truth: Truth) -> Extraction | None:
    name = f"{document.pk} {way.name}"
    schema = schemas.create(office.actor, name=name, response_format=make_format(truth, required=way.required))
    prompt = prompts.create(office.actor, name=name, content="Take the fields out.", schema_revision=schema)
    extractions.start(office.actor, document=document, prompt_revision=prompt, model=way.model)
    office.work()
    return Extraction.objects.filter(document=document, prompt_revision=prompt, status="completed").first()


def count(way: Way, run: Extraction | None, truth: Truth) -> None:
    """A run that failed answers nothing."""
    current, places = (run.current, run.provenance) if run else ({}, {})
    asked = make_format(truth, required=False)["json_schema"]["schema"]["properties"]
    count_values(way, current, truth, asked)
    for name in asked:
        is_absent = truth[name] in (None, "") and current.get(name) in (None, "")
        way.outcomes["explained"] += is_absent and places.get(name, {}).get("state") == State.ABSENT


def count_values(way: Way, given: Truth, truth: Truth, asked: dict[str, Any]) -> None:
    way.outcomes.update(judge(name, given.get(name), truth[name]) or "empty" for name in asked)


if __name__ == "__main__":
    main()
