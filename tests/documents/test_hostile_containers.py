"""Files that ask for what lies elsewhere, run something, or are two kinds at once: read as text, and nothing more."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from accounts.actor import Actor
from documents.intake import parts, uploads
from documents.models import Document
from reader.failures import OverLimit, Unreadable
from reader.markup.svg import rasterize
from reader.opening import open_bundle, open_source
from reader.pages import Limits
from reader.sandbox.limits import budget
from reader.words import join_text
from tests.documents import hostile_containers

LIMITS = Limits(max_bytes=10_000_000, max_pages=20, max_pixels=4_000_000)


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, socket.socket]]:
    """An address, and what listens there."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/x", listener


def read(folder: Path, data: bytes) -> tuple[str, str]:
    """The kind, and the text of the first page."""
    path = folder / "file"
    path.write_bytes(data)
    budget.start()
    with path.open("rb") as file:
        kind, source = open_source(file, None, LIMITS)
        return kind, join_text(source.read(1, "text-layer").words)


def require_no_caller(listener: socket.socket) -> None:
    with pytest.raises(BlockingIOError):
        listener.accept()


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (hostile_containers.docx_of_remote_parts, "docx"),
        (hostile_containers.odt_that_asks_elsewhere, "odf"),
        (hostile_containers.html_that_asks_elsewhere, "html"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_file_names_elsewhere_is_not_fetched_and_its_text_is_read(
    make: Callable[[str], bytes], kind: str, tmp_path: Path, elsewhere: tuple[str, socket.socket]
) -> None:
    address, listener = elsewhere
    found, text = read(tmp_path, make(address))
    assert found == kind and text.startswith("Total 12.50") and "while" not in text
    require_no_caller(listener)


def test_scripts_and_styles_of_an_svg_do_nothing(elsewhere: tuple[str, socket.socket]) -> None:
    address, listener = elsewhere
    drawn, _ = rasterize(io.BytesIO(hostile_containers.svg_with_scripts(address)))
    assert drawn.read(8) == b"\x89PNG\r\n\x1a\n"
    require_no_caller(listener)


def test_a_file_of_two_kinds_is_the_one_that_it_begins_as(tmp_path: Path) -> None:
    assert read(tmp_path, hostile_containers.pdf_and_archive()) == ("pdf", "Total 12.50 of the PDF")
    with pytest.raises(Unreadable, match="starts like a GIF picture, but is none"):
        read(tmp_path, hostile_containers.picture_and_page())


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (hostile_containers.nested_xml, "nested more than 200 levels deep"),
        (hostile_containers.mail_in_mails, "more parts inside of parts than are followed"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_nested_too_deep_is_refused_with_a_sentence(
    make: Callable[[], bytes], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(OverLimit, match=sentence):
        read(tmp_path, make())


def test_an_archive_of_archives_is_opened_one_deep_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(hostile_containers.archive_in_archives())
    with path.open("rb") as file:
        assert [part.name for part in open_bundle(file, LIMITS)] == ["a.zip"]


@pytest.mark.django_db
def test_names_that_are_paths_lead_nowhere(actor: Actor) -> None:
    content = ContentFile(hostile_containers.archive_of_path_names(), name="a.zip")
    archive = uploads.store(actor, name="a.zip", content=content)
    Document.objects.filter(pk=archive.pk).update(unpacking="waiting")
    parts.unpack(archive.pk)
    archive.refresh_from_db()
    assert [part.name for part in archive.list_parts()] == ["passwd.txt", "shadow.txt", "a.txt", "b.txt", ".txt"]
    assert archive.parts_reason == "..: File name is required"
    assert {Path(str(part.file)).name for part in archive.list_parts()} == {part.pk for part in archive.list_parts()}
