"""From a file to the words that a value rests on, by the API alone and over real HTTP."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.conf import settings as project
from PIL import Image

from accounts.actor import Actor
from accounts.services import tokens
from documents import extractions
from documents.reading import reading
from tests.worker_thread import keep_working

INVOICE = Path(project.BASE_DIR) / "documents" / "samples" / "gen_invoice_101.pdf"
FIELD = {"type": ["string", "null"], "description": "The number of the invoice."}
SCHEMA = {"type": "object", "properties": {"invoice_number": FIELD}, "required": ["invoice_number"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
SECONDS = 300
pytestmark = pytest.mark.django_db(transaction=True)


class Program:
    """Knows an address and a token, and nothing of the product's code."""

    def __init__(self, base: str, secret: str) -> None:
        self.base = base
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {secret}"

    def call(self, method: str, path: str, **more: Any) -> requests.Response:
        answer = self.session.request(method, f"{self.base}{path}", timeout=60, **more)
        assert answer.ok, answer.text
        return answer

    def wait_for_text(self, document_id: str) -> None:
        end = time.monotonic() + SECONDS
        while self.call("GET", f"/documents/{document_id}?include_content=false").json()["state"] != "ocr_completed":
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture
def program(actor: Actor, live_server: Any) -> Iterator[Program]:
    _, secret = tokens.create(actor.user, name="Program", organization=actor.organization)
    program = Program(f"{live_server.url}/v0/orgs/{actor.organization.pk}", secret)
    yield program
    program.session.close()


@pytest.fixture
def worker(db: None, settings: Any) -> Iterator[None]:
    settings.RUN_WAIT_SECONDS = SECONDS
    with keep_working(lambda: (reading.read_next(holder="test"), extractions.run_next(holder="test"))):
        yield


def test_a_program_shows_the_words_on_the_page_that_a_value_rests_on(program: Program, worker: None) -> None:
    file = {"file": (INVOICE.name, INVOICE.read_bytes(), "application/pdf")}
    document_id = program.call("POST", "/documents/multipart", files=file).json()["document"]["document_id"]
    program.wait_for_text(document_id)
    schema = program.call("POST", "/schemas", json={"name": "Invoice", "response_format": FORMAT}).json()
    wanted = {"name": "Read", "content": "Take the number.", "schema_id": schema["schema_id"]}
    prompt = program.call("POST", "/prompts", json=wanted).json()
    program.call("POST", f"/llm/run/{document_id}?prompt_revid={prompt['prompt_revid']}")

    result = program.call(
        "GET", f"/llm/result/{document_id}?prompt_revid={prompt['prompt_revid']}&include=provenance"
    ).json()
    field = result["provenance"]["invoice_number"]
    assert field["value"] == result["updated_llm_result"]["invoice_number"] and field["state"] == "exact"
    [box] = field["boxes"]
    blocks = program.call("GET", f"/ocr/download/blocks/{document_id}").json()
    assert field["words"] == " ".join(
        block["Text"] for block in blocks if block["BlockType"] == "WORD" and is_inside(block, field["page"], box)
    )

    answer = program.call("GET", f"/documents/{document_id}/pages/{field['page']}/picture?width=1200")
    picture = Image.open(io.BytesIO(answer.content)).convert("L")
    assert answer.headers["Content-Type"] == "image/webp" and picture.width == 1200
    sides = [box["left"] * 1200, box["top"] * picture.height, box["right"] * 1200, box["bottom"] * picture.height]
    crop = picture.crop(tuple(map(round, sides)))
    assert crop.width > 3 * len(field["words"]) and crop.getextrema()[0] < 100, "letters stand there"
    known = {"If-None-Match": answer.headers["ETag"]}
    path = f"/documents/{document_id}/pages/{field['page']}/picture?width=1200"
    assert program.call("GET", path, headers=known).status_code == 304

    runs = f"/documents/{document_id}/extractions"
    [run] = program.call("GET", runs).json()["extractions"]
    verified = program.call(
        "POST",
        f"{runs}/{run['extraction_id']}/fields/verify",
        json={"path": "invoice_number"},
        headers={"If-Match": field["etag"]},
    ).json()
    assert verified["is_verified"] and run["is_current"]


def is_inside(block: dict[str, Any], page: int, box: dict[str, float]) -> bool:
    """Whether the middle of the word is in the box."""
    at = block["Geometry"]["BoundingBox"]
    x, y = at["Left"] + at["Width"] / 2, at["Top"] + at["Height"] / 2
    return block["Page"] == page and box["left"] < x < box["right"] and box["top"] < y < box["bottom"]
