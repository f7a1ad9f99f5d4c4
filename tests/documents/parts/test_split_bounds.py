"""How many parts one upload may have, and which of what came with it are parts."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile

from accounts.actor import Actor
from documents.intake import splitting, uploads
from documents.intake.splitting import PartPages
from documents.models import Document
from kit.errors import Conflict
from tests.documents.parts.split_rows import put_whole

pytestmark = pytest.mark.django_db
TWO = [PartPages(1, 2), PartPages(3, 5)]


def test_an_upload_has_a_bounded_number_of_documents(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = put_whole(actor)
    monkeypatch.setattr(splitting, "MAX_FAMILY", 1)
    with pytest.raises(Conflict, match="One upload may have 1 documents in it"):
        splitting.split(actor, document=whole, parts=TWO)
    assert Document.objects.count() == 1
    monkeypatch.setattr(splitting, "MAX_FAMILY", 2)
    assert len(splitting.split(actor, document=whole, parts=TWO)) == 2


def test_what_was_attached_is_no_part_of_the_pages(actor: Actor) -> None:
    whole = put_whole(actor)
    uploads.store(actor, name="attached.txt", content=ContentFile(b"text"), parent=whole)
    parts = splitting.split(actor, document=whole, parts=TWO)
    assert set(splitting.list_parts(whole)) == set(parts)
    assert set(splitting.undo(actor, document=whole)) == set(parts)
