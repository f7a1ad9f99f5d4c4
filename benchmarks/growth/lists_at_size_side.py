"""One database of `lists_at_size`, in a process of its own: seeds it, names its calls, and measures those that come in.

A call asks for a *share* of the documents, the same at both sizes, or for a *few* of them.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from io import StringIO
from pathlib import Path

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start(database_url=sys.argv[1])

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Organization, User
from accounts.services import users
from documents.models import Document, Extraction, Prompt, PromptRevision, SchemaRevision, Tag
from kit.static_files.collecting import collect_changed

# Amounts from 0 to this, evenly, so that a share and a few of them can be asked for at any size.
SPREAD = 100_000
FEW = 10
RARE = "Rare"
ORDERS = ("name", "-name", "state", "verified", "-verified", "person", "tags", "-tags")


class Measurement:
    def __init__(self, documents: int, prompt_revisions: int, tags: int) -> None:
        person = User.objects.first() or users.create(
            None, email="a@example.org", password=None, name="A", is_superuser=True
        )
        call_command("seed_demo", documents=documents, prompts_revisions=prompt_revisions, tags=tags, stdout=StringIO())
        self.organization = Organization.objects.get(name="Demo")
        spread_amounts()
        spread_runs(self.organization)
        analyze()
        collect_changed()
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(person)
        self.calls = make_calls(self.organization, documents)
        # As the product does once it has started: what was made so far is not searched for garbage between two calls.
        gc.collect()
        gc.freeze()

    def measure(self, name: str) -> dict[str, float]:
        cache.clear()
        # The log of statements has an end, beyond which their number stays the same.
        connection.queries_log.clear()
        with CaptureQueriesContext(connection) as queries:
            began = time.process_time(), time.perf_counter(), read_server_seconds()
            answer = self.client.get(
                reverse("documents", args=[self.organization.pk]), self.calls[name], headers={"HX-Request": "true"}
            )
            seconds = time.process_time() - began[0], time.perf_counter() - began[1]
            server = read_server_seconds() - began[2]
        assert answer.status_code == 200 and "filter-refusal" not in answer.text, answer.text[-500:]
        return {
            "cpu": seconds[0] * 1000,
            "wall": seconds[1] * 1000,
            "server": server * 1000,
            "statements": len(queries),
        }


def read_server_seconds() -> float:
    """CPU of the process of PostgreSQL that works for this connection; SQLite works in ours."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    on_cpu = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]
    return int(on_cpu) / 1e9


def spread_amounts() -> None:
    """Demo documents all say the same total."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE documents_currentvalue SET number = (id * 7919) %% %s, text = CAST((id * 7919) %% %s AS TEXT) "
            "WHERE path = 'total'",
            [SPREAD, SPREAD],
        )


def spread_runs(organization: Organization) -> None:
    """Of a few documents a check fails, and a few others have runs of one prompt that no document else has."""
    runs = Extraction.objects.for_org(organization).filter(status="completed", prompt_revision__isnull=False)
    keys = list(runs.order_by("document__created_at").values_list("pk", flat=True)[: 2 * FEW])
    schema_revision = SchemaRevision.objects.for_org(organization).first()
    prompt = Prompt.objects.create(organization=organization, name=RARE)
    rare = PromptRevision.objects.create(prompt=prompt, number=1, content="", schema_revision=schema_revision)
    Extraction.objects.filter(pk__in=keys[:FEW]).update(failed_check_count=1)
    Extraction.objects.filter(pk__in=keys[FEW:]).update(prompt_revision=rare)


def analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def make_calls(organization: Organization, documents: int) -> dict[str, dict[str, str]]:
    rows = Document.objects.for_org(organization)
    few = SPREAD - max(1, SPREAD * FEW // documents)
    middle = rows.order_by("-created_at")[rows.count() // 2]
    tag = Tag.objects.for_org(organization).order_by("created_at").first()
    values = {
        "value, most": "total > 100",
        "value, share": f"total > {SPREAD * 9 // 10}",
        "value, few": f"total > {few}",
        "value, none": "total > 999999999",
        "value, text of most": 'vendor = "Ostrava Tools s.r.o."',
        "value, contains": "vendor ~ tools",
        "value, unlike": "total != 5",
        "value, empty": "total is empty",
        "value, metadata": "metadata.department = legal",
    }
    return {
        "all": {},
        "more rows": {"before": middle.pk},
        **{name: {"value": value} for name, value in values.items()},
        **{f"by value, {name}": {"value": values[f"value, {name}"], "order_by": "-value"} for name in ("most", "few")},
        **{f"by {order}": {"order_by": order} for order in ORDERS},
        "by name, more rows": {"order_by": "name", "before": middle.pk},
        "waits": {"is": "waiting"},
        "verified": {"is": "verified"},
        "failing checks, few": {"is": "failing-checks"},
        "no tag": {"is": "untagged"},
        "tag": {"tag": tag.pk if tag else ""},
        "kind": {"kind": "pdf"},
        "kind, none": {"kind": "image"},
        "person": {"person": "Mei Tanaka"},
        "prompt, few": {"prompt": RARE},
        "box, share": {"q": "invoice"},
        "box, one": {"q": "000777"},
        "box, none": {"q": "qqqq"},
        "box, value": {"q": "inv-2025"},
        "all together": {"value": values["value, share"], "is": "waiting", "kind": "pdf", "since": "2020-01-01"},
    }


def main(documents: int, prompt_revisions: int, tags: int) -> None:
    measurement = Measurement(documents, prompt_revisions, tags)
    print(json.dumps(list(measurement.calls)), flush=True)
    for line in sys.stdin:
        print(json.dumps(measurement.measure(line.strip())), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[2:5]))
