"""Whatever the kind: all that a file prints is read where it stands, and it is given as a PDF too."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from reader.opening import READERS, open_source
from reader.pages import Limits
from reader.pdf.writer import make_pdf
from reader.sandbox.limits import budget
from tests.documents.files_of_kinds import KINDS
from tests.documents.losses import list_lost

LIMITS = Limits(max_bytes=10_000_000, max_pages=40, max_pixels=4_000_000)


@pytest.mark.parametrize(("kind", "make"), KINDS.items(), ids=list(KINDS))
def test_nothing_that_a_file_prints_is_lost_and_its_pages_are_in_its_pdf(
    kind: str, make: Callable[[], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(make())
    budget.start()
    with path.open("rb") as file:
        told, source = open_source(file, None, LIMITS)
        words = [word for number in range(1, len(source.sizes) + 1) for word in source.read(number, "auto").words]
        pages = make_pdf(told, source, [len(source.sizes)])
    assert told == kind and list_lost(words) == []
    written = pdfium.PdfDocument(io.BytesIO(pages))
    assert len(written) == 1 and has_ink(written[0])


def has_ink(page: pdfium.PdfPage) -> bool:
    darkest, lightest = page.render(scale=0.5).to_pil().convert("L").getextrema()
    return bool(darkest < 128 < lightest)


def test_every_kind_that_is_laid_out_here_is_tried() -> None:
    # The content of a signed file is a document of its own.
    assert {*READERS, "txt"} - {"xls", "signed"} == set(KINDS)
