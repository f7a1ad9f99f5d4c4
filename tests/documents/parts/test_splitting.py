"""A PDF that holds several documents is split by its pages."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import document_changes
from documents.definitions import tags
from documents.intake import splitting, uploads
from documents.intake.splitting import PartPages
from documents.models import Document, Verification
from documents.reading import reading
from kit.errors import Conflict, Denied, Invalid, NotFound, TooLarge
from reader.pdf.source import PdfSource
from reader.pool.parts import cut_pages
from reader.pool.readers import get_pdf_pool
from reader.words import join_text
from tests.documents.extraction_rows import make_prompt, run_prompt
from tests.documents.parts.split_rows import PAGES, put_whole, read_all, read_texts
from tests.documents.reader_files import encrypt_pdf, text_at
from tests.documents.test_reader_annotations import LIMITS, make_form

pytestmark = pytest.mark.django_db
THREE = [PartPages(1, 2, "Invoice 17"), PartPages(3, 3), PartPages(4, 5, "Receipt.PDF")]


def test_each_part_is_a_document_with_its_pages_its_tags_and_its_place_in_the_whole(actor: Actor) -> None:
    tag = tags.create(actor, name="bills")
    whole = put_whole(actor, tag_ids=[tag.pk])
    before = whole.sha256
    parts = splitting.split(actor, document=whole, parts=THREE)
    assert [part.name for part in parts] == ["Invoice 17.pdf", "scans, page 3.pdf", "Receipt.PDF"]
    assert [part.pages_in_whole for part in parts] == ["pages 1–2", "page 3", "pages 4–5"]
    assert [read_texts(part) for part in parts] == [list(PAGES[:2]), [PAGES[2]], list(PAGES[3:])]
    assert list(whole.list_parts()) == parts
    for part in parts:
        part.refresh_from_db()
        assert (part.state, list(part.tags.all()), part.media_type) == ("ocr_completed", [tag], "application/pdf")
        assert len(pdfium.PdfDocument(io.BytesIO(part.file.read()))) == len(read_texts(part))
    whole.refresh_from_db()
    assert whole.sha256 == before and read_texts(whole) == list(PAGES)
    assert AuditEntry.objects.get(action="split").detail["pages"] == [[1, 2], [3, 3], [4, 5]]


def test_a_part_is_read_from_its_own_file_where_the_whole_was_not_read_to_its_end(actor: Actor) -> None:
    whole = put_whole(actor)
    whole.readings.get().pages.filter(number=3).delete()
    [part] = splitting.split(actor, document=whole, parts=[PartPages(2, 3)])
    assert part.readings.get().status == "queued"
    read_all()
    assert read_texts(part) == list(PAGES[1:3])
    reading.start(actor, document=part)
    read_all()
    assert read_texts(part) == list(PAGES[1:3])


def test_a_part_starts_the_prompts_of_its_tags_like_any_document(actor: Actor) -> None:
    whole = put_whole(actor)
    [part] = splitting.split(actor, document=whole, parts=[PartPages(2, 3)])
    copied = part.readings.get()
    assert (copied.status, copied.prompts_started_at, copied.engine) == ("completed", None, "text-layer")
    assert copied.settings == {"engine": "auto"}


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([], "Say which pages"),
        ([PartPages(1, 5)], "would be the whole document"),
        ([PartPages(2, 6)], "There is no page 6; the document has 5."),
        ([PartPages(0, 2)], "from 1"),
        ([PartPages(3, 2)], "Pages 3 to 2 are none"),
        ([PartPages(1, 2), PartPages(2, 3)], "Page 2 comes after page 2"),
        ([PartPages(3, 4), PartPages(1, 2)], "Name the parts in order"),
        ([PartPages(1, 1, "x" * 300)], "255 is the most"),
        ([PartPages(1, 1)] * 201, "200 is the most"),
    ],
)
def test_it_refuses_pages_that_make_no_parts(actor: Actor, parts: list[PartPages], sentence: str) -> None:
    whole = put_whole(actor)
    with pytest.raises(Invalid, match=sentence):
        splitting.split(actor, document=whole, parts=parts)
    assert Document.objects.count() == 1


def test_a_page_belongs_to_one_part_so_whoever_asks_twice_makes_nothing_twice(actor: Actor) -> None:
    whole = put_whole(actor)
    splitting.split(actor, document=whole, parts=THREE)
    with pytest.raises(Conflict, match="“Invoice 17.pdf” has pages 1–2 already"):
        splitting.split(actor, document=whole, parts=THREE)
    assert Document.objects.count() == 4


def test_of_two_at_once_the_second_one_makes_nothing_and_leaves_no_file(actor: Actor) -> None:
    whole = put_whole(actor)
    late = splitting.cut(actor, document=whole, parts=THREE)
    splitting.split(actor, document=whole, parts=[PartPages(2, 3)])
    with pytest.raises(Conflict):
        splitting.store(actor, document=whole, cut_parts=late)
    splitting.discard(late)
    assert Document.objects.count() == 2
    assert not any(default_storage.exists(part.file) for part in late)


def test_parts_that_are_too_much_together_leave_nothing_behind(actor: Actor, settings: Any) -> None:
    whole = put_whole(actor)
    before = list_files(actor)
    settings.MAX_UPLOAD_MB = 0.0002
    with pytest.raises(TooLarge):
        splitting.split(actor, document=whole, parts=THREE)
    assert list_files(actor) == before and Document.objects.count() == 1


def list_files(actor: Actor) -> set[str]:
    return set(default_storage.listdir(f"documents/{actor.organization.pk}")[1])


def test_pages_that_nobody_took_can_be_split_later(actor: Actor) -> None:
    whole = put_whole(actor)
    splitting.split(actor, document=whole, parts=[PartPages(4, 5)])
    splitting.split(actor, document=whole, parts=[PartPages(1, 2)])
    assert [part.pages_in_whole for part in whole.list_parts()] == ["pages 1–2", "pages 4–5"]


def test_the_split_is_undone_by_whoever_may_split(actor: Actor, member: Callable[[Role], Actor]) -> None:
    whole, reviewer = put_whole(actor), member(Role.REVIEWER)
    splitting.split(reviewer, document=whole, parts=THREE)
    splitting.undo(reviewer, document=whole)
    assert not whole.list_parts().exists() and Document.objects.in_trash().count() == 3
    with pytest.raises(Conflict, match="not split any more"):
        splitting.undo(reviewer, document=whole)
    splitting.split(reviewer, document=whole, parts=THREE)


def test_what_somebody_verified_is_not_taken_away_with_the_split(actor: Actor) -> None:
    whole = put_whole(actor)
    part, *_ = splitting.split(actor, document=whole, parts=THREE)
    run = run_prompt(part, make_prompt(actor))
    Verification.objects.create(extraction=run, user=actor.user)
    with pytest.raises(Conflict, match="verified values of “Invoice 17.pdf”"):
        splitting.undo(actor, document=whole)
    assert whole.list_parts().count() == 3


def test_the_part_stays_when_the_whole_goes(actor: Actor) -> None:
    whole = put_whole(actor)
    part, *_ = splitting.split(actor, document=whole, parts=THREE)
    document_changes.trash(actor, document=whole)
    with pytest.raises(NotFound):
        splitting.store(actor, document=whole, cut_parts=[])
    Document.objects.filter(pk=whole.pk).delete()
    part.refresh_from_db()
    assert (part.parent, part.trashed_at, read_texts(part)) == (None, None, list(PAGES[:2]))


def test_a_viewer_splits_nothing(actor: Actor, member: Callable[[Role], Actor]) -> None:
    whole, viewer = put_whole(actor), member(Role.VIEWER)
    with pytest.raises(Denied, match="needs the role reviewer"):
        splitting.cut(viewer, document=whole, parts=THREE)
    cut_parts = splitting.cut(actor, document=whole, parts=THREE)
    with pytest.raises(Denied):
        splitting.store(viewer, document=whole, cut_parts=cut_parts)
    with pytest.raises(Denied):
        splitting.undo(viewer, document=whole)


def test_only_what_has_pages_of_its_own_is_split(actor: Actor) -> None:
    text = uploads.store(actor, name="a.txt", content=ContentFile(b"one\ftwo", name="a.txt"))
    with pytest.raises(Invalid, match="Only a PDF or a TIFF"):
        splitting.split(actor, document=text, parts=THREE)
    unread = uploads.store(actor, name="a.pdf", content=ContentFile(b"%PDF-1.4", name="a.pdf"))
    with pytest.raises(Invalid, match="has not been read yet"):
        splitting.split(actor, document=unread, parts=THREE)


def cut(path: Path, data: bytes, *, password: str | None = None) -> list[str]:
    """The lines of the first page, cut out and read."""
    path.write_bytes(data)
    options = {"max_pages": 10, "max_bytes": 10_000_000, "group": "", "password": password}
    part = cut_pages(get_pdf_pool(), path, 1, 1, **options)  # type: ignore[arg-type]
    return first_page(part)


def first_page(data: bytes) -> list[str]:
    return join_text(PdfSource(io.BytesIO(data), None, LIMITS).read(1, "auto").words).splitlines()


def test_what_was_filled_in_and_commented_stays_in_the_part(tmp_path: Path) -> None:
    field = "/Subtype /Widget /FT /Tx /V (4) /F 4 /Rect [250 70 264 84] /AP << /N 6 0 R >>"
    lines = cut(tmp_path / "form.pdf", make_form(field, "/Subtype /Text /Rect [200 20 220 40] /Contents (look here)"))
    assert lines[0] == "4" and "(comment: look here)" in lines


def test_the_part_of_a_locked_pdf_needs_no_password(tmp_path: Path) -> None:
    locked = encrypt_pdf(text_at(20, 50, "Secret 4711 is the word"), "word")
    assert cut(tmp_path / "locked.pdf", locked, password="word") == ["Secret 4711 is the word"]
    with pytest.raises(Invalid, match="needs a password"):
        cut(tmp_path / "locked.pdf", locked)


def test_a_reviewer_moves_only_what_was_split_off_to_the_trash(actor: Actor, member: Callable[[Role], Actor]) -> None:
    with pytest.raises(Denied, match="needs the role builder"):
        document_changes.trash_part(member(Role.REVIEWER), document=put_whole(actor))
