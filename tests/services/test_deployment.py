"""From docs/deploy.md and compose.yaml to a verified document: a bare folder, PostgreSQL, and one process each."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.product import ROOT
from tests.services.composition import SECONDS, Composition, read_services
from tests.services.servers import free_port

pytestmark = pytest.mark.services
GUIDE = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")
OWN = ("migrate", "web", "reading", "agent", "scheduler")
FIELD = {"type": ["string", "null"], "description": "The number of the invoice."}
SCHEMA = {"type": "object", "properties": {"invoice_number": FIELD}, "required": ["invoice_number"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
SAMPLE = ROOT / "documents/samples/gen_invoice_101.pdf"
EMAIL = "admin@example.com"


def read_steps() -> str:
    """The commands before `docker compose up`, in the first block below its heading."""
    block = re.search(r"^## With Docker Compose\n.*?^```\n(.*?)^```", GUIDE, re.S | re.M)
    assert block
    lines = block[1].splitlines()
    return "\n".join(lines[: lines.index("docker compose up --detach")])


@pytest.fixture
def database() -> Iterator[str]:
    """A database of its own, as `migrate` leaves an empty one: how it does that is what all these tests begin with."""
    server, name = os.environ["DATABASE_URL"], f"deployed_{secrets.token_hex(4)}"
    address = f"{server.rpartition('/')[0]}/{name}"
    with psycopg.connect(f"{server.rpartition('/')[0]}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {os.environ['TESTS_DATABASE_TEMPLATE']}")
        yield address
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def deployed(database: str, tmp_path: Path) -> Iterator[Composition]:
    subprocess.run(["sh", "-eu"], input=read_steps(), text=True, cwd=tmp_path, check=True)
    password = (tmp_path / "secrets/database_password").read_text()
    named = (tmp_path / "secrets/database_url").read_text()
    assert named == f"postgres://docrouter:{password}@postgres/docrouter"
    (tmp_path / "secrets/database_url").write_text(database)
    values = dict(line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines())
    redis = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/15"
    deployed = Composition(tmp_path, values | {"ADMIN_EMAIL": EMAIL}, redis)
    yield deployed
    deployed.stop()


class Person:
    """Signs in on the page and goes on by the same session."""

    def __init__(self, port: int, password: str) -> None:
        self.client = httpx.Client(base_url=f"http://localhost:{port}", timeout=60)
        self.client.get("/sign-in")
        form = {"email": EMAIL, "password": password, "csrfmiddlewaretoken": self.client.cookies["csrftoken"]}
        assert self.client.post("/sign-in", data=form).status_code == 302
        home = self.client.get("/", follow_redirects=True).url.path
        self.organization = f"/v0/orgs/{home.split('/')[2]}"

    def call(self, method: str, path: str, **more: Any) -> Any:
        headers = {"X-CSRFToken": self.client.cookies["csrftoken"], **more.pop("headers", {})}
        answer = self.client.request(method, f"{self.organization}{path}", headers=headers, **more)
        assert answer.is_success, answer.text
        return answer.json()

    def upload(self) -> httpx.Response:
        headers = {"X-CSRFToken": self.client.cookies["csrftoken"]}
        file = {"file": (SAMPLE.name, SAMPLE.read_bytes(), "application/pdf")}
        return self.client.post(f"{self.organization}/documents/multipart", files=file, headers=headers)


def test_a_bare_folder_becomes_a_verified_document(deployed: Composition) -> None:
    early = deployed.run("web", DATABASE_URL=deployed_url(deployed, "postgres"))
    assert early.returncode == 1 and early.stderr.strip().endswith("Run manage.py migrate once, then start this again.")
    migrated = deployed.run("migrate")
    assert migrated.returncode == 0, migrated.stderr
    for service in OWN[1:]:
        deployed.start(service)
    deployed.wait_for(deployed.port, "/ready", 200)
    probe = httpx.get(f"http://127.0.0.1:{deployed.port}/health", headers={"Host": "10.1.2.3:8000"})
    assert (probe.status_code, probe.json()) == (200, {"status": "ok"})

    person = Person(deployed.port, (deployed.folder / "secrets/admin_password").read_text().strip())
    document_id = person.upload().json()["document"]["document_id"]
    verify_number(person, document_id)
    run_health_check(deployed.port)
    refuse_another_folder(deployed, document_id)


def deployed_url(deployed: Composition, database: str) -> str:
    return (deployed.folder / "secrets/database_url").read_text().rpartition("/")[0] + f"/{database}"


def verify_number(person: Person, document_id: str) -> None:
    """Read by the reading worker, extracted by the agent worker with the offline model, verified by the person."""
    row = f"/documents/{document_id}"
    wait_until(lambda: person.call("GET", f"{row}?include_content=false")["state"] == "ocr_completed")
    schema = person.call("POST", "/schemas", json={"name": "Invoice", "response_format": FORMAT})
    wanted = {"name": "Read", "content": "Take the number.", "schema_id": schema["schema_id"]}
    prompt = person.call("POST", "/prompts", json=wanted)["prompt_revid"]
    person.call("POST", f"/llm/run/{document_id}?prompt_revid={prompt}")
    wait_until(lambda: person.call("GET", f"{row}/extractions")["extractions"][0]["status"] == "completed")
    asked = f"/llm/result/{document_id}?prompt_revid={prompt}&include=provenance"
    value = person.call("GET", asked)["provenance"]["invoice_number"]
    assert value["state"] == "exact"
    [run] = person.call("GET", f"{row}/extractions")["extractions"]
    verified = person.call(
        "POST",
        f"{row}/extractions/{run['extraction_id']}/fields/verify",
        json={"path": "invoice_number"},
        headers={"If-Match": value["etag"]},
    )
    assert verified["is_verified"]


def run_health_check(port: int) -> None:
    """That of the image, which also web of compose.yaml has."""
    [check] = re.findall(r"^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$", (ROOT / "Dockerfile").read_text(), re.M)
    program, *arguments = json.loads(check)
    assert program == "python"
    for at, code in ((port, 0), (free_port(), 1)):
        environment = {**os.environ, "PORT": str(at)}
        done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
        assert done.returncode == code


def refuse_another_folder(deployed: Composition, document_id: str) -> None:
    """A second machine whose DATA_DIR is not the shared one."""
    other = {"DATA_DIR": str(deployed.folder / "other"), "PORT": str(free_port())}
    deployed.start("web", name="second", **other)
    parts = deployed.wait_for(int(other["PORT"]), "/ready", 503).json()["parts"]
    assert "it has no file folder_id" in parts.pop("storage") and set(parts.values()) == {"ok"}
    person = Person(int(other["PORT"]), (deployed.folder / "secrets/admin_password").read_text().strip())
    assert person.upload().status_code == 503
    assert person.call("GET", f"/documents/{document_id}?include_content=false")["type"] == "application/pdf"
    for service in ("reading", "agent", "scheduler"):
        refused = deployed.run(service, **other)
        assert refused.returncode == 1 and "manage.py adopt_data_dir" in refused.stderr
    assert httpx.get(f"http://127.0.0.1:{deployed.port}/ready").status_code == 200


def wait_until(holds: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_the_guide_names_the_commands_of_the_services() -> None:
    for service in OWN:
        assert f"`{shlex.join(read_services()[service]['command'])}`" in GUIDE


def test_no_secret_and_no_loose_image_stands_in_the_composition() -> None:
    for name, service in read_services().items():
        assert name in OWN or re.fullmatch(r"\w+:\d+\.\d+(\.\d+)?-\w+", service["image"])
        named = [key for key in service.get("environment", {}) if re.search("SECRET|PASSWORD|DATABASE", key)]
        assert all(service["environment"][key].startswith("/run/secrets/") for key in named)
        assert service["healthcheck"] if name not in ("web",) else "healthcheck" not in service
