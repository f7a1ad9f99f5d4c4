"""DOC and PPT through LibreOffice; a script stands in for it, which speaks its command line."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Document
from documents.reading import pages, reading
from kit.errors import Invalid
from reader.conversion.converting import convert_to_pdf
from reader.conversion.sandbox import SYSTEM_PATHS, find_installation
from reader.pool.process import ROOT, ComputingTime
from reader.sandbox.landlock import SYSTEM_PATHS as OF_READERS
from tests.documents.reader_files import pdf, text_at

pytestmark = pytest.mark.flows
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
RESULT = pdf([text_at(20, 40, "Written long ago, in Word 97")]).decode()
DONE = 'printf \'%s\' "$PDF" > "$OUT/document.pdf"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.doc").write_bytes(OLD)
    return tmp_path


def make_program(folder: Path, does: str = DONE) -> str:
    """`does`: lines of a shell, which may start nothing. OUT is where the PDF belongs, IN the file."""
    reads = 'for IN; do [ "$before" = --outdir ] && OUT=$IN; before=$IN; done'
    program = folder / "bin" / "soffice"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nPDF='{RESULT}'\n{reads}\n{does}\n")
    program.chmod(0o755)
    return str(program)


def convert(folder: Path, does: str, seconds: float = 30.0) -> bytes:
    program = make_program(folder, does)
    with (folder / "old.doc").open("rb") as file:
        return convert_to_pdf(program, file, newer_kind="DOCX", time=ComputingTime(), seconds=seconds)


def upload(actor: Actor, name: str, content: bytes = OLD) -> Document:
    document = uploads.store(actor, name=name, content=ContentFile(content))
    while reading.read_next(holder="test"):
        pass
    document.refresh_from_db()
    return document


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["letter.doc", "talk.ppt"])
def test_an_old_file_is_read_shown_and_given_as_pdf(
    name: str, folder: Path, actor: Actor, settings: pytest.FixtureRequest
) -> None:
    settings.SOFFICE = make_program(folder)
    document = upload(actor, name)
    page = document.readings.get().pages.select_related("reading__document").get()
    assert (document.state, page.text) == ("ocr_completed", "Written long ago, in Word 97")
    with (
        pages.draw_image(page, 160) as picture,
        pages.open_pdf(document).content as given,
        document.file.open() as kept,
    ):
        assert len(picture.read()) > 100
        assert (given.read(), kept.read()) == (RESULT.encode(), OLD)


@pytest.mark.django_db
def test_the_notes_of_an_old_talk_are_named_as_not_read(
    folder: Path, actor: Actor, settings: pytest.FixtureRequest
) -> None:
    settings.SOFFICE = make_program(folder)
    [kind, sentence, *_] = upload(actor, "talk.ppt").readings.get().gaps[0]
    assert kind == "embedded" and sentence.startswith("Notes of the speaker and hidden slides")
    others = (upload(actor, "letter.doc"), upload(actor, "text.ppt", b"A plain text all the same"))
    assert [document.readings.get().gaps for document in others] == [[], []]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "kind"), [("letter.doc", "DOCX"), ("talk.ppt", "PPTX")])
def test_without_libreoffice_it_is_refused_with_the_way_out(
    name: str, kind: str, actor: Actor, settings: pytest.FixtureRequest
) -> None:
    settings.SOFFICE = ""
    with pytest.raises(
        Invalid, match=rf"LibreOffice, which is not installed here\. Save it as {kind}, then upload that\."
    ):
        uploads.store(actor, name=name, content=ContentFile(OLD))


@pytest.mark.django_db
def test_what_only_bears_the_name_is_read_as_what_it_is(actor: Actor, settings: pytest.FixtureRequest) -> None:
    settings.SOFFICE = ""
    assert upload(actor, "note.doc", b"A plain text all the same").readings.get().pages.get().engine == "plain"


@pytest.mark.django_db
def test_what_libreoffice_cannot_open_fails_with_a_sentence(
    folder: Path, actor: Actor, settings: pytest.FixtureRequest
) -> None:
    settings.SOFFICE = make_program(folder, "exit 1")
    document = upload(actor, "letter.doc")
    assert (document.state, document.state_reason) == (
        "ocr_failed",
        "LibreOffice could not open the file: it is damaged or locked. Save it as DOCX, then upload that.",
    )


def test_it_is_started_again_when_its_new_profile_asks_for_it(folder: Path) -> None:
    profile = '"${OUT%/out}/profile"'
    assert convert(folder, f"[ -f {profile} ] || {{ : > {profile}; exit 81; }}\n{DONE}") == RESULT.encode()


def test_it_sees_the_file_in_a_folder_of_its_own_and_writes_nowhere_else(folder: Path) -> None:
    outside = folder / "outside"
    does = f'read -r word < {folder}/old.doc && exit 3\ntrue > {outside}\n[ -s "$IN" ] || exit 4\n{DONE}'
    assert convert(folder, does) == RESULT.encode()
    assert not outside.exists()


def test_it_starts_no_other_program(folder: Path) -> None:
    with pytest.raises(Invalid, match="could not open the file"):
        convert(folder, f"(sleep 60) || exit 1\n{DONE}")


def test_one_that_does_not_end_is_ended(folder: Path) -> None:
    with pytest.raises(Invalid, match="took too long"):
        convert(folder, "while :; do :; done", seconds=0.4)


def test_its_sockets_stay_on_the_machine() -> None:
    attempts = """
        import ctypes, socket
        from reader.sandbox.seccomp import refuse_calls
        ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
        refuse_calls(but=("execve", "socket", "bind", "listen"))
        socket.socket(socket.AF_UNIX).close()
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
            try:
                socket.socket(family)
            except PermissionError:
                print("refused")
    """
    command = [sys.executable, "-c", textwrap.dedent(attempts)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "refused\n" * 3


@pytest.mark.parametrize(
    ("program", "folder"),
    [
        ("/opt/libreoffice24.8/program/soffice.bin", "/opt/libreoffice24.8"),
        ("/usr/lib/libreoffice/program/soffice.bin", "/usr/lib/libreoffice"),
        ("/opt/bin/soffice", "/opt/bin"),
    ],
)
def test_it_reads_its_own_installation_and_nothing_else_of_opt(program: str, folder: str) -> None:
    assert find_installation(Path(program)) == Path(folder)
    assert not any(Path("/opt").is_relative_to(path) for path in (*SYSTEM_PATHS, *OF_READERS))
