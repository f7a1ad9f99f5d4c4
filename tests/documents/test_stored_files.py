"""Files without rows, rows without files, and caches that stay within their bounds."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages

from documents.intake import uploads
from documents.models import Document
from documents.reading import derived_files
from documents.retention import orphans, purging
from documents.storage.folders import ReplacingFolder
from documents.storage.stored_files import DERIVED, SET_ASIDE
from kit.ids import new_id
from tests.stored_in import keep_files_in

pytestmark = pytest.mark.django_db
DAY = 86_400


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    return keep_files_in(settings, tmp_path)


class FolderOfOthers(ReplacingFolder):
    """One of its files belongs to another account."""

    def delete(self, name):
        if name.endswith("a foreign file"):
            raise PermissionError("not yours")
        super().delete(name)


def put(actor, name="a.txt"):
    return uploads.store(actor, name=name, content=ContentFile(b"Total 12.50", name=name))


def age(path, days):
    os.utime(path, (time.time() - days * DAY,) * 2)
    return path


def store(organization_id, days):
    name = default_storage.save(f"documents/{organization_id}/{new_id()}", ContentFile(b"left by a killed process"))
    return age(Path(default_storage.path(name)), days)


# Files without a row


def test_a_file_that_no_row_names_is_set_aside_and_later_removed(actor, own_folder):
    document = put(actor)
    age(Path(document.file.path), 2)
    orphan = store(actor.organization.pk, days=2)
    check = orphans.FilesCheck()
    check.run_once()
    aside = own_folder / "orphans" / actor.organization.pk / orphan.name
    assert not orphan.exists() and aside.read_bytes() == b"left by a killed process"
    assert default_storage.exists(document.file.name)
    assert orphans.remove_leftovers() == 0
    age(aside, 8)
    assert orphans.remove_leftovers() == 1 and not aside.exists()


def test_what_cannot_be_removed_keeps_nothing_else(actor, own_folder, settings, caplog):
    backend = {"BACKEND": f"{__name__}.FolderOfOthers"}
    settings.STORAGES = {**settings.STORAGES, "orphans": settings.STORAGES["orphans"] | backend}
    for name in ("a foreign file", "b"):
        SET_ASIDE.save_bytes(f"{actor.organization.pk}/{name}", b"x")
        age(own_folder / "orphans" / actor.organization.pk / name, 8)
    orphans.remove_leftovers()
    assert [file.key for file in SET_ASIDE.iterate()] == [f"{actor.organization.pk}/a foreign file"]
    assert "a foreign file stays: not yours" in caplog.text


def test_a_file_that_documents_share_is_left_alone_until_the_last_of_them_goes(actor):
    shared = store(actor.organization.pk, days=2)
    name = str(shared.relative_to(default_storage.location))
    first, last = (put(actor, name=f"{number}.txt") for number in range(2))
    Document.objects.update(file=name)
    orphans.FilesCheck().run_once()
    assert shared.exists()
    for document in (first, last):
        document.refresh_from_db()
        purging.delete_files(document)
        assert shared.exists() == (document == first)
        document.delete()


def test_a_file_whose_row_may_still_come_is_left_alone(actor):
    young = store(actor.organization.pk, days=0)
    orphans.FilesCheck().run_once()
    assert young.exists()


def test_files_of_an_organization_that_this_database_does_not_know_are_left_alone(db, caplog):
    foreign = store(new_id(), days=2)
    orphans.FilesCheck().run_once()
    assert foreign.exists() and "neither its document nor its organization" in caplog.text


def test_a_check_looks_at_a_part_at_a_time_with_few_queries(actor, django_assert_num_queries):
    for _ in range(501):
        store(actor.organization.pk, days=2)
    check = orphans.FilesCheck()
    with django_assert_num_queries(4):
        check.run_once()
    folder = Path(default_storage.location, "documents", actor.organization.pk)
    assert len(list(folder.iterdir())) == 1
    check.run_once()
    assert not list(folder.iterdir())


def test_temporary_files_of_killed_uploads_are_removed(db, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, young, other = (tmp_path / name for name in ("tmpa.upload.pdf", "tmpb.upload.pdf", "tmpc.pdf"))
    for path in (old, young, other):
        path.touch()
    age(old, 2)
    age(other, 2)
    orphans.remove_leftovers()
    assert not old.exists() and young.exists() and other.exists()


# Rows without a file


def test_a_row_without_its_file_is_noted_until_the_file_is_back(actor, caplog):
    document, whole = put(actor), put(actor, name="b.txt")
    content = document.file.read()
    default_storage.delete(document.file.name)
    orphans.FilesCheck().run_once()
    document.refresh_from_db()
    whole.refresh_from_db()
    assert document.file_missing_since is not None and whole.file_missing_since is None
    assert document.pk in caplog.text
    default_storage.save(document.file.name, ContentFile(content))
    orphans.FilesCheck().run_once()
    document.refresh_from_db()
    assert document.file_missing_since is None


def test_a_document_that_is_being_deleted_misses_no_file(actor):
    document = put(actor)
    Document.objects.update(purge_requested_at=document.created_at)
    default_storage.delete(document.file.name)
    assert orphans.FilesCheck().run_once() is None
    document.refresh_from_db()
    assert document.file_missing_since is None


# Caches


def store_picture(number, days, size=1000):
    key = derived_files.get_picture_key(f"reading{number}", 1, 160)
    DERIVED.save_bytes(key, b"x" * size)
    return age(Path(storages["derived"].path(key)), days)


def test_what_was_not_used_for_long_goes_with_its_folder(settings):
    settings.CACHE_DAYS = 30
    old, young = store_picture(1, days=31), store_picture(2, days=29)
    assert derived_files.trim() == 1
    assert young.exists() and not old.parent.exists()


def test_beyond_the_size_the_least_recently_used_go_first(settings, own_folder):
    settings.CACHE_MB = 1
    third = 400 * 1024
    oldest, used, young = store_picture(1, 20, third), store_picture(2, 25, third), store_picture(3, 1, third)
    assert DERIVED.note_use(str(used.relative_to(own_folder / "cache")))
    assert derived_files.trim() == 1
    assert not oldest.exists() and used.exists() and young.exists()


def test_what_was_used_just_now_stays_even_beyond_the_size(settings):
    settings.CACHE_MB = 1
    handed_out = store_picture(1, days=0, size=2 * 1024 * 1024)
    assert derived_files.trim() == 0 and handed_out.exists()


def test_half_written_files_of_a_killed_process_go_as_well(settings, own_folder):
    settings.CACHE_DAYS = 1
    leftover = own_folder / "cache" / "pages" / "reading1" / "tmpabc"
    leftover.parent.mkdir(parents=True)
    leftover.touch()
    age(leftover, 2)
    assert derived_files.trim() == 1 and not leftover.exists()
