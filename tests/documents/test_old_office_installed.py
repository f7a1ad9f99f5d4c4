"""DOC and PPT through LibreOffice itself, in its sandbox, where it is installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from kit.errors import Invalid
from reader.conversion.converting import convert_to_pdf
from reader.pool.process import ComputingTime

SOFFICE = shutil.which("soffice") or ""
pytestmark = [pytest.mark.flows, pytest.mark.skipif(not SOFFICE, reason="needs LibreOffice")]

SPACE = "urn:oasis:names:tc:opendocument:xmlns"
SPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" ' + " ".join(
    f'xmlns:{short}="{SPACE}:{name}:1.0"'
    for short, name in (("office", "office"), ("draw", "drawing"), ("text", "text"), ("svg", "svg-compatible"))
)
LETTER = (
    '<office:text><text:p>Total 1,234.50 EUR</text:p><text:p><draw:frame svg:width="3cm" svg:height="3cm">'
    '<draw:image xlink:href="ELSEWHERE" xlink:type="simple"/></draw:frame></text:p></office:text>'
)
TALK = (
    '<office:presentation><draw:page><draw:frame svg:width="20cm" svg:height="4cm"><draw:text-box>'
    "<text:p>Total 1,234.50 EUR</text:p></draw:text-box></draw:frame></draw:page></office:presentation>"
)


def make_old(folder: Path, kind: str, elsewhere: str) -> Path:
    name, body = ("text", LETTER) if kind == "doc" else ("presentation", TALK)
    source = folder / f"source.fod{name[0]}"
    source.write_text(
        f'<?xml version="1.0"?><office:document {SPACES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.{name}">'
        f"<office:body>{body.replace('ELSEWHERE', elsewhere)}</office:body></office:document>"
    )
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [SOFFICE, "--headless", profile, "--convert-to", kind, "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / f"source.{kind}"


@pytest.mark.parametrize(("kind", "newer"), [("doc", "DOCX"), ("ppt", "PPTX")])
def test_an_old_file_becomes_a_pdf_and_a_broken_one_a_sentence(kind: str, newer: str, tmp_path: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        old = make_old(tmp_path, kind, f"http://127.0.0.1:{server.getsockname()[1]}/a.png")
        # Its picture lies elsewhere and is not asked for, which LibreOffice outside of the sandbox does.
        server.listen()
        server.settimeout(0)
        with old.open("rb") as file:
            data = convert_to_pdf(SOFFICE, file, newer_kind=newer, time=ComputingTime())
        with pytest.raises(BlockingIOError):
            server.accept()
    with pdfium.PdfDocument(data) as pdf:
        assert "Total 1,234.50 EUR" in pdf[0].get_textpage().get_text_range()
    old.write_bytes(old.read_bytes()[:4000])
    with old.open("rb") as file, pytest.raises(Invalid, match="LibreOffice could not open the file"):
        convert_to_pdf(SOFFICE, file, newer_kind=newer, time=ComputingTime())
