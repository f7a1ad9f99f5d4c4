"""Through the real processes: one pool for the module, readers of their own where one is going to die."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from kit.errors import Invalid, TooLarge, Upstream
from reader import frames
from reader.layout.fonts import load_font
from reader.pool import process as reader_process
from reader.pool import readers
from reader.pool.answers import PageSize
from reader.pool.readers import ReaderPool
from reader.words import join_text
from tests.documents.hostile_files import huge_unicode_map
from tests.documents.office_files import docx, paragraph, xlsx
from tests.documents.reader_files import DATA, pdf, text_at

pytestmark = pytest.mark.flows

LINE = text_at(20, 70, "Nothing here is out of the ordinary")


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    reader_pool = ReaderPool(1)
    yield reader_pool
    reader_pool.close()


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def tiff(folder: Path, count: int) -> Path:
    frames = [Image.new("L", (60 + 10 * i, 40), 255) for i in range(count)]
    frames[0].save(folder / "a.tiff", save_all=True, append_images=frames[1:])
    return folder / "a.tiff"


def test_it_inspects_by_content_whatever_the_name_says(pool: ReaderPool, tmp_path: Path) -> None:
    inspection = pool.inspect(write(tmp_path, "a.jpg", pdf([LINE, LINE])))
    assert (inspection.kind, inspection.page_count, inspection.sizes[1]) == ("pdf", 2, PageSize(200, 100))


def test_it_reads_text_files(pool: ReaderPool) -> None:
    [page] = pool.read(DATA / "gen_105.txt", [1])
    assert page.text.splitlines() == ["Delivery note", "Ostrava Tools s.r.o.", "Café Müller", "Total 37070.65"]
    assert page.engine == "plain"


def test_it_names_months_without_the_time_zones_of_the_system(pool: ReaderPool, tmp_path: Path) -> None:
    path = write(tmp_path, "a.xlsx", xlsx([["Due", date(2026, 3, 14)]], formats={"B1": "[$-407]d. mmmm yyyy"}))
    [page] = pool.read(path, [1])
    assert "14. März 2026" in page.text


def test_it_counts_the_pages_of_a_tiff(pool: ReaderPool, tmp_path: Path) -> None:
    path = tiff(tmp_path, 3)
    assert [size.width for size in pool.inspect(path).sizes] == [60, 70, 80]
    assert pool.render(path, 3, 40).height == 20
    with pytest.raises(TooLarge, match="more than 2 pages"):
        pool.inspect(path, max_pages=2)


def test_it_shows_pictures_upright_by_their_exif_mark(pool: ReaderPool, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (80, 40)).save(tmp_path / "a.jpg", exif=exif)
    assert pool.inspect(tmp_path / "a.jpg").sizes == [PageSize(40, 80)]
    assert pool.render(tmp_path / "a.jpg", 1, 20).height == 40


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.docx", lambda: docx(paragraph("Total 12.50"))),
        ("a.xlsx", lambda: xlsx([["Total", 46095]], formats={"B1": "[$-407]d. mmmm yyyy"})),
        ("a.xls", lambda: (DATA / "kinds" / "costs.xls").read_bytes()),
        ("a.html", lambda: b"<html><p>Total 12.50"),
        ("a.rtf", lambda: b"{\\rtf1 Total 12.50}"),
        ("a.yaml", lambda: b"---\nTotal: 12.50"),
    ],
)
def test_it_lays_out_kinds_without_pages(
    pool: ReaderPool, tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    path = write(tmp_path, name, make())
    [page] = pool.read_text(path, [1], milliseconds=0)
    assert page.engine == "layout" and len(page.words) >= 2
    assert pool.render(path, 1, 300).height == 425
    assert pool.pdf(path).startswith(b"%PDF-")


def test_what_was_read_as_lines_is_drawn_as_lines(pool: ReaderPool, tmp_path: Path) -> None:
    sheet, lines = write(tmp_path, "a.csv", b"a;b\n1;2"), write(tmp_path, "a.txt", b"a;b\r1;2")
    as_read = pool.render(sheet, 1, 300, as_lines=True).data
    assert as_read == pool.render(lines, 1, 300, as_lines=True).data != pool.render(sheet, 1, 300).data


@pytest.mark.parametrize("name", ["a.heic", "a.jp2", "a.avif", "a.svg"])
def test_it_recognizes_pictures_of_newer_kinds(pool: ReaderPool, tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, make_picture(name))
    [page] = pool.read(path, [1])
    assert page.text == "Total 4812.50"


def make_picture(name: str) -> bytes:
    if name == "a.heic":
        return (DATA / "kinds" / "total.heic").read_bytes()
    if name == "a.svg":
        text = '<script>alert(1)</script><text x="20" y="70" font-size="40">Total 4812.50</text>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 110">{text}</svg>'.encode()
    picture, data = Image.new("RGB", (420, 110), "white"), io.BytesIO()
    ImageDraw.Draw(picture).text((20, 30), "Total 4812.50", 0, load_font("regular", 40))
    picture.save(data, {"a.jp2": "JPEG2000", "a.avif": "AVIF"}[name])
    return data.getvalue()


@pytest.mark.parametrize("compression", [None, "tiff_lzw"])
def test_it_shows_a_sideways_tiff_upright(pool: ReaderPool, tmp_path: Path, compression: str | None) -> None:
    picture = Image.new("L", (80, 40), 255)
    picture.paste(0, (0, 0, 40, 40))
    picture.save(tmp_path / "a.tiff", tiffinfo={0x0112: 6}, compression=compression)
    assert pool.inspect(tmp_path / "a.tiff").sizes == [PageSize(40, 80)]
    upright = Image.open(io.BytesIO(pool.render(tmp_path / "a.tiff", 1, 40, image_format="png").data)).convert("L")
    assert (upright.getpixel((20, 10)), upright.getpixel((20, 70))) == (0, 255)


@pytest.mark.parametrize("size", [(5000, 3), (3, 30_000), (1, 1)])
def test_it_answers_pictures_of_absurd_shapes(pool: ReaderPool, tmp_path: Path, size: tuple[int, int]) -> None:
    Image.new("L", size, 255).save(tmp_path / "a.png")
    assert pool.read(tmp_path / "a.png", [1])[0].words == []
    assert pool.render(tmp_path / "a.png", 1, 100).data


def test_its_readers_outlive_the_thread_that_first_asked(pool: ReaderPool) -> None:
    fresh = ReaderPool(1)
    thread = threading.Thread(target=fresh.inspect, args=(DATA / "gen_105.txt",))
    thread.start()
    thread.join()
    time.sleep(0.05)
    assert fresh.idle[0].child.poll() is None
    fresh.close()


@pytest.mark.parametrize("image_format", ["webp", "jpeg", "png"])
def test_it_renders_a_page_in_the_width_wanted(pool: ReaderPool, image_format: frames.ImageFormat) -> None:
    picture = pool.render(DATA / "gen_105.txt", 1, 300, image_format=image_format)
    assert (picture.width, picture.height, picture.media_type) == (300, 425, f"image/{image_format}")
    assert picture.data[:4] in (b"RIFF", b"\xff\xd8\xff\xe0", b"\x89PNG")


def test_it_renders_a_turned_page_in_the_width_wanted(pool: ReaderPool, tmp_path: Path) -> None:
    picture = pool.render(write(tmp_path, "a.pdf", pdf([LINE])), 1, 100, rotation=90)
    assert (picture.width, picture.height) == (100, 200)


def test_it_refuses_a_picture_with_too_many_pixels_before_decoding_it(pool: ReaderPool, tmp_path: Path) -> None:
    size = (b"IHDR" + (100_000).to_bytes(4, "big") * 2) + b"\x01\0\0\0\0"
    head = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + size + zlib.crc32(size).to_bytes(4, "big")
    bomb = write(tmp_path, "bomb.png", head + (9).to_bytes(4, "big") + b"IDAT" + b"\0" * 13)
    with pytest.raises(TooLarge, match="megapixels"):
        pool.inspect(bomb)


def test_it_refuses_a_file_that_is_too_long(pool: ReaderPool) -> None:
    with pytest.raises(TooLarge, match="the limit is 0 MB"):
        pool.inspect(DATA / "sroie_003.jpg", max_bytes=50_000)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "starts like a PNG picture"),
        ("a.tiff", b"II*\0\xff\xff\xff\xff", "damaged"),
        ("a.pdf", pdf([LINE])[:100], "starts like a PDF"),
        ("a.docx", b"PK\x03\x04", "its ZIP archive is broken or cut short"),
    ],
)
def test_it_answers_strange_files_with_a_sentence_and_goes_on(
    pool: ReaderPool, tmp_path: Path, name: str, data: bytes, sentence: str
) -> None:
    with pytest.raises(Invalid, match=sentence):
        pool.inspect(write(tmp_path, name, data))
    assert pool.inspect(DATA / "gen_105.txt").page_count == 1


def test_it_refuses_a_picture_that_is_cut_short(pool: ReaderPool, tmp_path: Path) -> None:
    path = write(tmp_path, "a.jpg", (DATA / "sroie_003.jpg").read_bytes()[:20_000])
    with pytest.raises(Invalid, match="cut short or broken"):
        pool.read(path, [1])


def test_it_says_which_page_is_missing(pool: ReaderPool) -> None:
    with pytest.raises(Invalid, match="no page 2"):
        pool.read(DATA / "gen_105.txt", [1, 2])


def test_it_reads_a_receipt(pool: ReaderPool) -> None:
    [page] = pool.read(DATA / "sroie_003.jpg", [1])
    assert page.engine == "rapidocr"
    assert "YONGFATT ENTERPRISE" in join_text(page.words)
    assert "80.90" in page.text
    assert page.confidence > 80


def test_it_kills_a_reader_that_misses_its_deadline(pool: ReaderPool, tmp_path: Path) -> None:
    slow = write(tmp_path, "a.pdf", huge_unicode_map())
    pool.inspect(DATA / "gen_105.txt")
    [process] = pool.idle
    with pytest.raises(Invalid, match="took longer than 0.1 seconds"):
        pool.read(slow, [1], seconds=0.1)
    assert process.child.returncode == -signal.SIGKILL
    assert pool.inspect(DATA / "gen_105.txt").page_count == 1


def test_it_replaces_a_reader_after_its_share_of_pages(pool: ReaderPool) -> None:
    pool.inspect(DATA / "gen_105.txt")
    [process] = pool.idle
    process.pages = readers.PAGES_BEFORE_RECYCLING
    pool.inspect(DATA / "gen_105.txt")
    assert pool.idle == []
    assert process.child.returncode is not None


def test_it_serves_many_threads_with_few_readers(pool: ReaderPool) -> None:
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(pool.inspect(DATA / "gen_105.txt").page_count)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert counts == [1] * 8
    assert len(pool.idle) <= 1


def test_its_readers_hold_no_secrets_and_no_django() -> None:
    code = "import sys; import reader.requests; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=reader_process.ROOT).returncode == 0
    os.environ["A_SECRET_OF_THE_PARENT"] = "x"
    process = reader_process.ReaderProcess()
    process.greet()
    assert b"A_SECRET_OF_THE_PARENT" not in Path(f"/proc/{process.child.pid}/environ").read_bytes()
    process.kill()
    del os.environ["A_SECRET_OF_THE_PARENT"]


def test_its_readers_die_with_a_parent_that_was_killed() -> None:
    code = (
        "from reader.pool.readers import ReaderPool; import time; pool = ReaderPool(1);"
        f"pool.inspect({str(DATA / 'gen_105.txt')!r}); print(pool.idle[0].child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=reader_process.ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    reader = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 60
    while is_running(reader) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(reader)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_closed_pool_answers_with_a_sentence() -> None:
    closed = ReaderPool(1)
    closed.close()
    with pytest.raises(Upstream, match="shut down"):
        closed.inspect(DATA / "gen_105.txt")
