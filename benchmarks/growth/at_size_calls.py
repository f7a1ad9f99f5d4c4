"""The calls that `at_size` makes, each asking the same of a small and of a large organization.

A call narrows either to a *share* of the rows, the same at both sizes, or to a *few* of them, about ten at both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count
from django.urls import reverse

from accounts.models import Organization
from documents.models import Document, Tag

SHARE, FEW = 0.1, 10
COLUMNS = ("@name", "vendor", "invoice_number", "total", "metadata.department", "metadata.batch")


@dataclass(frozen=True)
class Call:
    path: str
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    htmx: bool = False


def calls_for(organization: Organization) -> dict[str, Call]:
    rows = Chosen(organization)
    api, pages = f"/v0/orgs/{organization.pk}", rows.pages()
    listed = {f"documents: {name}": Call(f"{api}/documents", query) for name, query in _documents(rows).items()}
    for plural in ("prompts", "schemas", "tags"):
        listed |= {f"{plural}: {name}": Call(f"{api}/{plural}", query) for name, query in _list_named_calls().items()}
    prompts = {f"prompts: {name}": Call(f"{api}/prompts", query) for name, query in _prompts(rows).items()}
    return listed | prompts | pages


class Chosen:
    """The rows that stand for a share and for a few, by what this organization holds."""

    def __init__(self, organization: Organization) -> None:
        self.organization = organization
        self.documents = Document.objects.for_org(organization).order_by("created_at")
        total = self.documents.count()
        tags = list(Tag.objects.for_org(organization).annotate(uses=Count("documents")).order_by("-uses", "name"))
        self.popular, self.other = sorted(tags, key=lambda tag: abs(tag.uses - SHARE * total))[:2]
        self.rare = min(reversed(tags), key=lambda tag: abs(tag.uses - FEW))
        done = self.documents.filter(state=Document.State.LLM_COMPLETED, tags=self.popular)
        self.middle = done[done.count() // 2]
        self.without = self.documents.filter(state=Document.State.OCR_FAILED)[0]
        self.tagged = self.documents.filter(tags=self.popular).latest("created_at")
        self.batch = next(row.metadata["batch"] for row in self.documents if "batch" in row.metadata)
        self.newest_tenth = self.documents[int(total * (1 - SHARE))].created_at
        self.newest_few = self.documents[total - FEW].created_at

    def pages(self) -> dict[str, Call]:
        org = self.organization.pk
        documents, admin = reverse("documents", args=[org]), reverse("admin:documents_document_changelist")
        return {
            "page documents": Call(documents),
            "page documents, more rows": Call(documents, {"before": self.middle.pk}, htmx=True),
            "page documents, search, share": Call(documents, {"q": "invoice"}, htmx=True),
            "page documents, search, one": Call(documents, {"q": "000777"}, htmx=True),
            "page documents, search, none": Call(documents, {"q": "qqqq"}, htmx=True),
            "page documents, failed": Call(documents, {"state": "failed"}, htmx=True),
            "page documents, value": Call(documents, {"value": "total > 1", "order_by": "-value"}, htmx=True),
            "page documents, five columns": Call(documents, {"column": COLUMNS}),
            "page documents, columns, by number": Call(documents, {"order_by": "-value:total", "column": COLUMNS}),
            "page documents, columns, by text": Call(
                documents, {"order_by": "value:metadata.department", "column": COLUMNS}
            ),
            "page documents, columns, further": Call(
                documents, {"order_by": "value:total", "column": COLUMNS, "before": self.middle.pk}, htmx=True
            ),
            "page documents, columns, the end": Call(
                documents, {"order_by": "value:total", "column": COLUMNS, "before": self.without.pk}, htmx=True
            ),
            "page documents, waiting": Call(documents, {"is": "waiting", "order_by": "name"}, htmx=True),
            "page documents, many filters": Call(documents, {"q": "o tag:x is:untagged kind:pdf total > 1"}, htmx=True),
            "page go to": Call(reverse("palette", args=[org]), {"q": "o"}, htmx=True),
            "page documents, under way": Call(documents, {"state": "under-way"}, htmx=True),
            "page document": Call(reverse("document", args=[org, self.middle.pk])),
            **{f"page {name}": Call(reverse(name, args=[org])) for name in ("prompts", "schemas", "tags")},
            **{
                f"admin {name}": Call(reverse(f"admin:documents_{name}_changelist"))
                for name in ("document", "reading", "page", "extraction", "tag", "prompt", "schema")
            },
            "admin document, search": Call(admin, {"q": "000777"}),
            "admin document, state": Call(admin, {"state__exact": "llm_failed"}),
        }


def _documents(rows: Chosen) -> dict[str, dict[str, str]]:
    day = rows.newest_tenth.date()
    return {
        "all": {},
        "all, 100 rows": {"limit": "100"},
        "all, skip 500": {"skip": "500"},
        "name search, share": {"name_search": "invoice"},
        "name search, share inside": {"name_search": "dairy"},
        "name search, one": {"name_search": "000777"},
        "name search, none": {"name_search": "qqqq"},
        "tag, share": {"tag_ids": rows.popular.pk},
        "tag, few": {"tag_ids": rows.rare.pk},
        "two tags": {"tag_ids": f"{rows.popular.pk},{rows.other.pk}"},
        "metadata, share": {"metadata_search": "department=legal"},
        "metadata, few": {"metadata_search": f"batch={rows.batch}"},
        "metadata, none": {"metadata_search": "batch=none"},
        "state, most": _make_filter("state", "equals", "llm_completed"),
        "state, share": _make_filter("state", "equals", "llm_failed"),
        "state, none": _make_filter("state", "equals", "ocr_processing"),
        "name contains, share": _make_filter("document_name", "contains", "müller"),
        "name contains not": _make_filter("document_name", "doesNotContain", "müller"),
        "name starts, share": _make_filter("document_name", "startsWith", "order 2026"),
        "uploader": _make_filter("uploaded_by", "equals", "Mei Tanaka"),
        "uploader contains": _make_filter("uploaded_by", "contains", "tanaka"),
        "date, share": _make_filter("upload_date", "onOrAfter", day.isoformat()),
        "date, few": _make_filter("upload_date", "onOrAfter", rows.newest_few.isoformat()),
        "tag name, share": _make_filter("tag_ids", "contains", rows.popular.name),
        "tag name, few": _make_filter("tag_ids", "contains", rows.rare.name),
        "no tag": _make_filter("tag_ids", "isEmpty", ""),
        **{
            f"sort {column} {way}": _make_sort(column, way)
            for column in ("document_name", "upload_date", "uploaded_by", "state")
            for way in ("asc", "desc")
        },
    }


def _list_named_calls() -> dict[str, dict[str, str]]:
    """What can be asked of prompts, schemas and tags alike."""
    return {
        "all": {},
        "all, 20 rows": {"limit": "20"},
        "name search": {"name_search": "invoices"},
        "name contains": _make_filter("name", "contains", "001"),
        "sort name": _make_sort("name"),
        "sort date": _make_sort("created_at", "desc"),
    }


def _prompts(rows: Chosen) -> dict[str, dict[str, str]]:
    return {
        "tag": {"tag_ids": rows.popular.pk},
        "of a document": {"document_id": rows.tagged.pk},
        "tag name": _make_filter("tag_ids", "contains", rows.popular.name),
        "sort schema": _make_sort("schema_id"),
    }


def _make_filter(column: str, operator: str, value: str) -> dict[str, str]:
    return {"filters": json.dumps({"items": [{"field": column, "operator": operator, "value": value}]})}


def _make_sort(column: str, direction: str = "asc") -> dict[str, str]:
    return {"sort": json.dumps([{"field": column, "sort": direction}])}
