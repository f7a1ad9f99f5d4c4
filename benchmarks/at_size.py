"""Whether lists stay as fast with 100,000 documents as with 1,000: `python -m benchmarks.at_size [times]`.

Calls go in one process through the real views of /v0 with an access token. The database is a new SQLite file, or the
one that DATABASE_URL names, which has to be empty and keeps the rows. A call is flat when its median at the larger size
is at most 1.5 times the one at the smaller size.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from statistics import median, quantiles

from django.apps import apps

from benchmarks import embedded

if not apps.ready:
    embedded.start(database_url=os.environ.get("DATABASE_URL", ""))

from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations, tokens, users
from documents.models import Document, Tag
from documents.services import demo

SMALL, LARGE = 1_000, 100_000
# A large organization has more of everything.
DEFINITIONS = {SMALL: {"prompt_revisions": 200, "tags": 20}, LARGE: {"prompt_revisions": 1800, "tags": 180}}
FLAT = 1.5
WARM_UP = 3
Call = tuple[str, dict[str, str]]


@dataclass(frozen=True)
class Timing:
    p50: float
    p95: float
    queries: int


def filtered(field: str, operator: str, value: str) -> dict[str, str]:
    return {"filters": json.dumps({"items": [{"field": field, "operator": operator, "value": value}]})}


def sorted_by(field: str, direction: str = "asc") -> dict[str, str]:
    return {"sort": json.dumps([{"field": field, "sort": direction}])}


def document_calls(popular: str, rare: str) -> dict[str, Call]:
    wishes = {
        "list": {},
        "list, 100 rows": {"limit": "100"},
        "list, skip 500": {"skip": "500"},
        "name search, many": {"name_search": "invoice"},
        "name search, few": {"name_search": "000777"},
        "name search, none": {"name_search": "qqqq"},
        "tag, popular": {"tag_ids": popular},
        "tag, rare": {"tag_ids": rare},
        "tags, both": {"tag_ids": f"{popular},{rare}"},
        "metadata": {"metadata_search": "batch=77"},
        "filter state": filtered("state", "equals", "llm_failed"),
        "filter name contains": filtered("document_name", "contains", "müller"),
        "filter name starts": filtered("document_name", "startsWith", "order 2026"),
        "filter uploader": filtered("uploaded_by", "equals", "Mei Tanaka"),
        "filter date": filtered("upload_date", "onOrAfter", "2026-11-01"),
        "filter tag name": filtered("tag_ids", "contains", "contracts area 0005"),
        **{f"sort {field} {way}": sorted_by(field, way)
           for field in ("document_name", "upload_date", "uploaded_by", "state") for way in ("asc", "desc")},
    }  # fmt: skip
    return {f"documents: {name}": ("documents", wish) for name, wish in wishes.items()}


def definition_calls(popular: str, document_id: str) -> dict[str, Call]:
    found: dict[str, Call] = {}
    for plural in ("prompts", "schemas", "tags"):
        found |= {
            f"{plural}: list": (plural, {}),
            f"{plural}: name search": (plural, {"name_search": "invoices"}),
            f"{plural}: sort name": (plural, sorted_by("name")),
            f"{plural}: sort date": (plural, sorted_by("created_at", "desc")),
            f"{plural}: filter name": (plural, filtered("name", "contains", "0007")),
        }
    return found | {
        "prompts: tag": ("prompts", {"tag_ids": popular}),
        "prompts: of a document": ("prompts", {"document_id": document_id}),
        "prompts: filter tag name": ("prompts", filtered("tag_ids", "contains", "area 0003")),
        "prompts: sort schema": ("prompts", sorted_by("schema_id")),
    }


def main(times: int) -> None:
    print(f"{connection.vendor}, {times} times each, milliseconds", flush=True)
    if Document.objects.exists():
        sys.exit("This database holds documents. Name an empty one.")
    person = users.create(None, email="a@example.org", password=None, name="A")
    actor = enter(person, organizations.create(person, name="A", type="team").pk)
    _, secret = tokens.create(person, name="benchmark", organization=actor.organization)
    client = APIClient(SERVER_NAME="localhost")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    small = at_size(actor, client, SMALL, times)
    show(small, at_size(actor, client, LARGE, times))


def at_size(actor: Actor, client: APIClient, size: int, times: int) -> dict[str, Timing]:
    began, held = time.perf_counter(), Document.objects.count()
    for _ in demo.make(actor, documents=size - held, seed=size, **DEFINITIONS[size]):
        pass
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{size} documents seeded in {time.perf_counter() - began:.1f} s", flush=True)
    # By use at this size: the tags of the smaller size are hardly on the documents that came later.
    tags = list(Tag.objects.annotate(uses=Count("documents")).filter(uses__gt=0).order_by("-uses", "name"))
    tagged = Document.objects.filter(tags=tags[0]).earliest("created_at")
    calls = document_calls(tags[0].pk, tags[-1].pk) | definition_calls(tags[0].pk, tagged.pk)
    print(f"popular tag: {tags[0].uses} documents, rare tag: {tags[-1].uses}", flush=True)
    return {name: measured(client, f"/v0/orgs/{actor.organization.pk}/{path}", wish, times)
            for name, (path, wish) in calls.items()}  # fmt: skip


def measured(client: APIClient, path: str, wish: dict[str, str], times: int) -> Timing:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path, wish)
    asked = len(queries)  # The next request empties the log.
    if answer.status_code != 200:
        sys.exit(f"{path} {wish}: {answer.status_code} {answer.content!r}")
    for _ in range(WARM_UP):
        client.get(path, wish)
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        client.get(path, wish)
        seconds.append((time.perf_counter() - began) * 1000)
    return Timing(median(seconds), quantiles(seconds, n=20)[-1], asked)


def show(small: dict[str, Timing], large: dict[str, Timing]) -> None:
    print(f"{'':36} {'p50':>7} {'p95':>7} {'queries':>7} | {'p50':>7} {'p95':>7} {'queries':>7} | ratio")
    for name, before in small.items():
        after = large[name]
        ratio = after.p50 / before.p50
        mark = "" if ratio <= FLAT else "  not flat"
        print(f"{name:36} {before.p50:7.1f} {before.p95:7.1f} {before.queries:7} | "
              f"{after.p50:7.1f} {after.p95:7.1f} {after.queries:7} | {ratio:5.2f}{mark}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
