"""The file of a document as it was uploaded, and as a PDF."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
from PIL import Image

from accounts.actor import Actor
from accounts.models import Organization
from tests.api.test_documents import store
from tests.conftest import ApiClient


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/documents"


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


def one_page_pdf() -> bytes:
    pdf, data = pdfium.PdfDocument.new(), io.BytesIO()
    pdf.new_page(300, 200)
    pdf.save(data)
    return data.getvalue()


def pdf_of(content: bytes) -> list[tuple[int, int]]:
    """The sizes of its pages in points."""
    pdf = pdfium.PdfDocument(content)
    return [(round(width), round(height)) for width, height in (pdf.get_page_size(at) for at in range(len(pdf)))]


def scan(*sizes: tuple[int, int], kind: str = "tiff") -> bytes:
    first, *rest = [Image.new("RGB", size, (250, 250 - at, 240)) for at, size in enumerate(sizes)]
    data = io.BytesIO()
    first.save(data, kind, **({"save_all": True, "append_images": rest} if rest else {}))
    return data.getvalue()


def test_it_makes_a_pdf_of_all_pages_of_a_scan_once(client: ApiClient, actor: Actor, path: str) -> None:
    document = store(actor, "scan.tiff", scan((400, 800), (800, 400), (200, 200)))
    answer = client.get(f"{path}/{document.pk}/file")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"] == 'attachment; filename="scan.pdf"'
    content = b"".join(answer.streaming_content)
    assert pdf_of(content) == [(144, 288), (288, 144), (72, 72)]
    whole = client.get(f"{path}/{document.pk}?file_type=pdf").json()
    assert (whole["type"], base64.b64decode(whole["content"]) == content) == ("application/pdf", True)
    original = client.get(f"{path}/{document.pk}/file?file_type=original")
    assert (original["Content-Type"], original["Content-Disposition"]) == (
        "image/tiff",
        'attachment; filename="scan.tiff"',
    )
    assert client.get(f"{path}/{document.pk}").json()["type"] == "image/tiff"


@pytest.mark.parametrize(
    ("name", "content", "sizes"),
    [
        ("a.png", scan((200, 400), kind="png"), [(72, 144)]),
        ("a.webp", scan((100, 100), kind="webp"), [(36, 36)]),
        ("a.txt", b"hello\fsecond page", [(595, 842)] * 2),
        ("a.csv", b"a;b\n1;2", [(595, 842)]),
        ("really.txt", one_page_pdf(), [(300, 200)]),
    ],
)
def test_it_makes_a_pdf_of_pictures_and_texts(
    client: ApiClient, actor: Actor, path: str, name: str, content: bytes, sizes: list[tuple[int, int]]
) -> None:
    document = store(actor, name, content)
    answer = client.get(f"{path}/{document.pk}/file?file_type=pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert pdf_of(b"".join(answer.streaming_content)) == sizes
    assert client.get(f"{path}/{document.pk}").json()["type"] == document.media_type


@pytest.mark.parametrize(
    ("name", "content"), [("a.docx", b"PK\x03\x04"), ("a.png", b"\x89PNG\r\n\x1a\nbroken"), ("a.tiff", b"II*\0")]
)
def test_it_has_no_pdf_of_what_it_cannot_draw(
    client: ApiClient, actor: Actor, path: str, name: str, content: bytes
) -> None:
    document = store(actor, name, content)
    for refused in (f"{path}/{document.pk}/file?file_type=pdf", f"{path}/{document.pk}?file_type=pdf"):
        answer = client.get(refused)
        assert (answer.status_code, answer.json()) == (404, {"detail": "File not found"})
    assert client.get(f"{path}/{document.pk}").status_code == 200
    assert client.get(f"{path}/{document.pk}?file_type=word").status_code == 422
    as_it_is = client.get(f"{path}/{document.pk}/file")
    assert (as_it_is["Content-Type"], b"".join(as_it_is.streaming_content)) == (document.media_type, content)


def test_the_row_comes_without_its_file_and_the_content_does_not(client: ApiClient, actor: Actor, path: str) -> None:
    """The file may lie on another machine, or be gone: what is known of it is in the database."""
    document = store(actor, "a.txt", b"hello")
    document.file.storage.delete(document.file.name)
    row = client.get(f"{path}/{document.pk}?include_content=false")
    assert (row.status_code, row.json()["type"], row.json()["content"]) == (200, "text/plain", None)
    assert client.get(f"{path}/{document.pk}").status_code == 404
