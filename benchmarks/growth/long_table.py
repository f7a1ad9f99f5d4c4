"""How many calls a table takes that is longer than an answer: `python -m benchmarks.growth.long_table [rows] [pages]`.

A scripted model copies the rows of the pages that it is shown, as far as its answer may be long; the built-in model
gives them in one answer. Ideal is the length of all rows beside the longest answer.
"""

from __future__ import annotations

import argparse
import json
import time

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings

from accounts.access import enter
from accounts.services import organizations, users
from documents import extractions, values
from documents.models import Usage
from tests.documents.extraction_rows import make_prompt
from tests.documents.long_tables import LETTERS_A_TOKEN, CopyingModel, make_pages
from tests.documents.reading_rows import document_with


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int, nargs="?", default=1800)
    parser.add_argument("pages", type=int, nargs="?", default=40)
    wish = parser.parse_args()
    person = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    actor = enter(person, organizations.create(person, name="Bench", type="team").pk)
    prompt = make_prompt(actor)
    model = CopyingModel()
    model.start()
    settings.MODEL_API_BASE, settings.DEFAULT_MODEL = model.base_url, model.model
    try:
        for name in (model.model, "offline/rules"):
            model.cut = 0
            settings.EXTRACTION_MODEL = name
            began = time.process_time()
            pages = make_pages(wish.pages, wish.rows // wish.pages)
            document = document_with(actor.organization, *pages, line_height=0.02)
            show(name, extractions.prepare(actor, document=document, prompt_revision=prompt), model, began)
    finally:
        model.stop()


def show(name: str, draft: extractions.ExtractionDraft, model: CopyingModel, began: float) -> None:
    rows = values.strip_row_ids(draft.result).get("items") or []  # type: ignore[union-attr]
    once = len({row["sku"] for row in rows})
    print(f"{name}: {len(rows)} rows, {once} different ones, of {len(draft.coverage)} of {draft.page_count} pages")
    calls = Usage.objects.filter(model=name).count()
    ideal = len(json.dumps(rows)) / LETTERS_A_TOKEN / settings.MODEL_MAX_TOKENS
    print(f"  {calls} calls (ideal {ideal:.1f}), {model.cut} of them cut; {time.process_time() - began:.1f} s of CPU")
    print(f"  {draft.prompt_tokens} tokens read, {draft.completion_tokens} written")


if __name__ == "__main__":
    main()
