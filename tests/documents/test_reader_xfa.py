"""Forms that only Adobe Reader draws: their data is read, and the page that asks to wait is not."""

from pathlib import Path

import pytest

from reader.pool.readers import get_pool
from tests.documents.reader_files import assemble, objects_of, text_at

WAIT = "Please wait... If this message is not replaced by the document, get Adobe Reader."
DATA = b"<datasets><data><form1><CaseNo>AX-40917</CaseNo><Empty/><Photo contentType='image/png'>iVBORw0</Photo></form1></data></datasets>"


def make_form(*packets: bytes, catalog: bytes = b"/NeedsRendering true") -> bytes:
    """The first packets have no name that counts; the last is the data."""
    objects, trailer = objects_of([text_at(20, 50, WAIT).encode()], "/MediaBox [0 0 600 100]", ())
    first = len(objects) + 1
    names = [b"(form) %d 0 R" % number for number in range(first, first + len(packets) - 1)]
    listed = b" ".join([*names, b"(datasets) %d 0 R" % (first + len(packets) - 1)])
    form = b"/AcroForm << /Fields [] /XFA [%s] >> %s" % (listed, catalog)
    objects[0] = objects[0].replace(b">>", form + b" >>")
    streams = [b"<< /Length %d >> stream\n%s\nendstream" % (len(packet), packet) for packet in packets]
    return assemble([*objects, *streams], trailer)


@pytest.mark.parametrize("catalog", [b"/NeedsRendering true", b""])
def test_the_data_of_the_form_is_read_and_told_from_the_form(tmp_path: Path, catalog: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(make_form(b"<form/>", DATA, catalog=catalog))
    seen = get_pool().inspect(tmp_path / "a.pdf")
    [page] = get_pool().read(tmp_path / "a.pdf", [1])
    assert page.text == "form1:\n  CaseNo: AX-40917\n  Empty:"
    assert [(gap.kind, gap.reason[:39]) for gap in seen.gaps] == [("form", "This form is drawn by Adobe Reader only")]


NESTED = b"<data>" + b"<a>" * 10_000 + b"1" + b"</a>" * 10_000 + b"</data>"
ENTITIES = b"<!DOCTYPE a [<!ENTITY b 'c'>]><data><a>&b;</a></data>"


@pytest.mark.parametrize("data", [b"", b"<data><a>1</data>", NESTED, ENTITIES, b"<data><a/></data>", b"x" * 11_000_000])
def test_a_form_without_readable_data_has_no_words_and_says_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(make_form(data))
    seen = get_pool().inspect(tmp_path / "a.pdf")
    [page] = get_pool().read(tmp_path / "a.pdf", [1])
    assert page.text == "" and not page.fault
    assert ["nothing of it is read" in gap.reason for gap in seen.gaps] == [True]
