"""Documents by a number that is printed in them: among their current values, else on their pages."""

from __future__ import annotations

from agent.references.candidates import Asker, Candidate
from documents.index.words.matching import PageFinder
from documents.index.words.typed_words import make_expression, parse_words
from documents.models import CurrentValue
from kit.rows.models import fold_case
from printed.references.reference_words import find_field, find_number, parse_reference

MAX_VALUES = 200
MAX_PAGES = 50


def find_by_value(asker: Asker, text: str) -> list[Candidate]:
    """Documents that have it as a value of their own, no entry of a list; those of the named field alone, if any."""
    number = find_number(text)
    if not number or "document" not in asker.kinds:
        return []
    rows = CurrentValue.objects.for_org(asker.actor.organization).filter(text=fold_case(number), row="")
    rows = rows.filter(document__in=asker.documents.order_by().values("pk")).select_related("document")
    values = list(rows.order_by("-document__created_at", "document", "pk")[:MAX_VALUES])
    if field := parse_reference(text).field:
        values = [value for value in values if find_field(value.path) == field] or values
    by_document = {value.document_id: value for value in reversed(values)}
    return [
        Candidate("document", value.document_id, value.document.name, f"its {value.path} is {number}")
        for value in reversed(by_document.values())
    ]


def find_on_pages(asker: Asker, text: str) -> list[Candidate]:
    """The newest first."""
    number = find_number(text).replace('"', "")
    if not number or "document" not in asker.kinds:
        return []
    finder = PageFinder(asker.actor.organization, asker.documents, asker.is_narrowed)
    matches = finder.find(make_expression(parse_words(f'"{number}"')), maximum=MAX_PAGES).rows
    pages = {match.document_id: match.number for match in sorted(matches, key=lambda match: -match.number)}
    rows = asker.documents.filter(pk__in=list(pages))
    return [
        Candidate("document", row.pk, row.name, f"{number} is printed on page {pages[row.pk]}")
        for row in rows.order_by("-created_at", "-pk")
    ]
