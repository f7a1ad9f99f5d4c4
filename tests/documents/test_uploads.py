import errno
import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import organizations
from documents import document_changes
from documents.catalog.media_types import TAKEN_IN
from documents.find import lists
from documents.intake import uploads
from documents.models import Document, MetadataPair, Reading, Tag
from kit.errors import Conflict, Denied, DiskFull, Invalid, TooLarge

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def put(actor, name="a.txt", content=b"Total 12.50", **extra):
    return uploads.store(actor, name=name, content=ContentFile(content, name=name), **extra)


def test_it_keeps_the_bytes_and_starts_a_reading(actor):
    document = put(actor, metadata={"source": "mail"})
    assert default_storage.open(document.file.name).read() == b"Total 12.50"
    assert (document.state, document.size, document.metadata) == ("uploaded", 11, {"source": "mail"})
    assert [r.status for r in document.readings.all()] == [Reading.Status.QUEUED]
    assert AuditEntry.objects.get(target_id=document.pk).action == "uploaded"


def test_the_same_bytes_twice_are_kept_and_linked(actor):
    first, second = put(actor), put(actor, name="b.txt")
    assert second.duplicate_of == first and first.duplicate_of is None


def test_a_twin_of_another_organization_is_not_linked(actor, stranger):
    put(stranger)
    assert put(actor).duplicate_of is None


@pytest.mark.parametrize(
    ("name", "content", "stored"),
    [
        ("scan", b"%PDF-1.7\n", "scan.pdf"),
        ("Rechnung 14.03.2026", b"junk\n" * 500 + b"%PDF-1.7\n", "Rechnung 14.03.2026.pdf"),
        ("list", b"a;b\n1;2\n", "list.txt"),
    ],
)
def test_a_file_without_an_extension_gets_that_of_its_content(actor, name, content, stored):
    assert put(actor, name=name, content=content).name == stored


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("", b"x", "File name is required"),
        ("../../", b"x", "File name is required"),
        ("a.exe", b"x", f"Unsupported file extension .exe: a.exe. {TAKEN_IN}"),
        ("a.xlsb", b"x", "Unsupported file extension .xlsb: a.xlsb. Save it as XLSX, then upload that."),
        (
            "noextension",
            b"MZ\0\0",
            f"The file name has no extension, which says what is in it: noextension. {TAKEN_IN}",
        ),
        ("a.pdf", b"", "a.pdf is empty: it has 0 bytes."),
        ("a.pdf", b"MZ\0\0", "a.pdf is not taken: The file is of a kind that is not read: neither PDF, nor picture"),
        ("a" * 260 + ".pdf", b"x", "The file name has 264 characters; 255 is the most."),
    ],
)
def test_it_refuses_what_cannot_be_a_document(actor, name, content, sentence):
    with pytest.raises(Invalid, match=re.escape(sentence)):
        put(actor, name=name, content=content)
    assert not Document.objects.exists()


def test_a_path_in_the_name_is_dropped(actor):
    assert put(actor, name="C:\\mail\\in\u202evoice.txt").name == "invoice.txt"


def test_it_refuses_a_file_over_the_limit_and_keeps_nothing(actor, settings):
    settings.MAX_UPLOAD_MB = 1
    first = put(actor)
    before = default_storage.listdir("")[0]
    with pytest.raises(TooLarge, match="larger than 1 MB"):
        put(actor, content=b"x" * (1024 * 1024 + 1))
    assert Document.objects.get() == first and default_storage.listdir("")[0] == before


def test_tags_of_another_organization_are_unknown(actor, other_organization):
    foreign = Tag.objects.create(organization=other_organization, name="secret plans")
    with pytest.raises(Invalid) as caught:
        put(actor, tag_ids=[foreign.pk])
    assert foreign.pk in caught.value.sentence and "secret" not in caught.value.sentence


class SlowFile(ContentFile):
    """While it is read, somebody deletes all tags."""

    def chunks(self, chunk_size=None):
        Tag.objects.all().delete()
        return super().chunks(chunk_size)


def test_a_tag_that_is_deleted_while_the_file_comes_is_unknown(actor):
    tag = Tag.objects.create(organization=actor.organization, name="invoice")
    with pytest.raises(Invalid, match=tag.pk):
        uploads.store(actor, name="a.txt", content=SlowFile(b"x", name="a.txt"), tag_ids=[tag.pk])
    assert not Document.objects.exists()


def test_metadata_values_must_be_text(actor):
    with pytest.raises(Invalid, match="metadata must be a JSON object with string values"):
        put(actor, metadata={"year": 2026})


def test_a_viewer_may_not_upload(member):
    with pytest.raises(Denied, match="needs the role reviewer"):
        put(member(Role.VIEWER))


def test_the_trash_hides_a_document_and_gives_it_back(actor):
    document = put(actor)
    document_changes.trash(actor, document=document)
    assert not Document.objects.for_org(actor.organization).exists()
    with pytest.raises(Conflict):
        document_changes.trash(actor, document=document)
    document_changes.restore(actor, document=document)
    assert Document.objects.for_org(actor.organization).get() == document


def test_a_reviewer_may_not_trash(actor, member):
    with pytest.raises(Denied):
        document_changes.trash(member(Role.REVIEWER), document=put(actor))


def test_renaming_counts_a_version(actor):
    document = document_changes.rename(actor, document=put(actor), name="Rechnung Ü.txt")
    assert (document.version, document.name_folded) == (2, "rechnung ü.txt")


def test_the_samples_are_three_documents(actor):
    names = [document.name for document in uploads.store_samples(actor)]
    assert names == ["gen_invoice_101.pdf", "gen_invoice_104_rot90.pdf", "sroie_003.jpg"]


def test_it_counts_every_renaming_even_when_two_pages_had_seen_the_same_version(actor: Actor) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"a"))
    seen = Document.objects.get(pk=document.pk)
    document_changes.rename(actor, document=document, name="b.txt")
    document_changes.rename(actor, document=seen, name="c.txt")
    assert (seen.name, seen.version) == ("c.txt", document.version + 1)


def test_it_finds_documents_by_the_metadata_they_have_now(actor: Actor) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"a"), metadata={"kind": "x", "2024": "a,b=ü"})

    def has_match(pairs: str) -> bool:
        return lists.list_documents(actor, metadata=pairs).exists()

    assert has_match("kind=x,2024=a%2Cb%3D%C3%BC")
    assert not has_match("kind=x,2024=a")
    document_changes.update(actor, document=document, metadata={"kind": "y", "2024": "a,b=ü"})
    assert (has_match("kind=x"), has_match("kind=y"), has_match("2024=a%2Cb%3D%C3%BC")) == (False, True, True)
    document_changes.update(actor, document=document, metadata={})
    assert not MetadataPair.objects.exists()


class FileForFullDisk(ContentFile):
    """The disk becomes full while it is written: whoever goes through it a second time gets half of it."""

    passes = 0

    def chunks(self, chunk_size=None):
        self.passes += 1
        yield b"half"
        if self.passes > 1:
            raise OSError(errno.ENOSPC, "No space left on device")


def test_it_leaves_nothing_behind_when_the_disk_becomes_full(actor, settings):
    put(actor)
    folder = Path(default_storage.path(f"documents/{actor.organization.pk}"))
    before = sorted(folder.iterdir())
    with pytest.raises(DiskFull, match="The disk is nearly full, so no file is taken in."):
        uploads.store(actor, name="b.txt", content=FileForFullDisk(b"half", name="b.txt"))
    assert sorted(folder.iterdir()) == before and Document.objects.count() == 1


def test_it_takes_nothing_in_when_the_disk_is_nearly_full(actor, settings):
    first = put(actor)
    before = default_storage.listdir("")
    settings.MIN_FREE_DISK_MB = 10**9
    with pytest.raises(DiskFull, match="The disk is nearly full, so no file is taken in."):
        put(actor, content=b"other words")
    assert Document.objects.get() == first and default_storage.listdir("") == before


def test_a_file_that_is_here_already_is_refused_where_the_organization_wants_it(actor: Actor) -> None:
    first = uploads.store(actor, name="a.txt", content=ContentFile(b"a"))
    assert uploads.store(actor, name="b.txt", content=ContentFile(b"a")).duplicate_of == first
    organizations.change(actor, identical_files="refuse")
    files = set(default_storage.listdir(f"documents/{actor.organization.pk}")[1])
    with pytest.raises(Conflict, match="c.txt was not stored: it is the same file as a.txt") as refused:
        uploads.store(actor, name="c.txt", content=ContentFile(b"a"))
    assert (refused.value.code, refused.value.winner) == (
        "identical_file",
        {"document_id": first.pk, "document_name": "a.txt"},
    )
    assert set(default_storage.listdir(f"documents/{actor.organization.pk}")[1]) == files
    assert uploads.store(actor, name="d.txt", content=ContentFile(b"d")).duplicate_of is None
