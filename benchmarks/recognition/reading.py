"""How well and how fast files are read: `python -m benchmarks.recognition.reading [--data DIR]`.

Words found are compared with each file's ground truth as bags of words: SROIE's lines, the words of an independent PDF
engine, or, for generated files, the fields. Beside recall, F1 and seconds a page of a scan stand those of the bare
engine for the same rendered picture in the same run (one thread, word boxes, its own defaults otherwise as in
production). *Found* counts words of three characters and more alone, also those that stand glued to another one. The
last lines are the means of files that the engine reads and whose every word is known.
"""

import argparse
import io
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rapidocr import RapidOCR

from kit.errors import AppError
from reader.ocr.rapidocr_engine import SETTINGS
from reader.pool.answers import PageReading
from reader.pool.readers import ReaderPool, get_pool
from reader.words import join_text

DEFAULT_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
OCR_DPI = 200
POINTS_AN_INCH = 72


MIN_LETTERS = 3
NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Score:
    """found: of the words of three characters and more, glued or not; f1: where the truth is all that the file says."""

    recall: float
    found: float
    f1: float | None

    def __str__(self) -> str:
        return f"{self.recall:6.3f} {self.found:6.3f} " + (f"{self.f1:6.3f}" if self.f1 is not None else "     -")


@dataclass(frozen=True)
class Measured:
    product: Score | None
    bare: Score | None
    seconds: float
    bare_seconds: float | None
    engine: str

    def __str__(self) -> str:
        scores = " ".join(f"{score or '     -      -      -'}" for score in (self.product, self.bare))
        beside = f"{self.bare_seconds:8.3f} {self.seconds / self.bare_seconds:6.2f}" if self.bare_seconds else ""
        return f"{self.engine:12} {scores} {self.seconds:8.3f} {beside}"


def words_in(text: str) -> Counter[str]:
    without_thousands = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower())
    return Counter(re.findall(r"[^\W_]+", without_thousands))


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, float):
        yield f"{value:,.2f}"
    else:
        yield str(value)


def count_expected_words(truth: dict[str, Any]) -> tuple[Counter[str], bool]:
    """The words, and whether they are all that the file says (else only recall means something)."""
    if "lines" in truth:
        return words_in(" ".join(line["text"] for line in truth["lines"])), True
    if isinstance(truth.get("pages"), list):
        return words_in(" ".join(word[0] for page in truth["pages"] for word in page["words"])), True
    return words_in(" ".join(leaves(truth["fields"]))), False


def score(text: str, truth: dict[str, Any]) -> Score:
    words, (expected, whole) = words_in(text), count_expected_words(truth)
    if not whole:
        # Fields repeat what the file may say once (a currency, a rate).
        expected, words = Counter(expected.keys()), Counter(words.keys())
    common, letters = words & expected, NO_LETTERS.sub("", text.lower())
    lost = Counter({word: count for word, count in (expected - words).items() if word not in letters})
    f1 = 2 * common.total() / (words.total() + expected.total()) if whole else None
    return Score(common.total() / expected.total(), 1 - count_long(lost) / max(1, count_long(expected)), f1)


def count_long(words: Counter[str]) -> int:
    return sum(count for word, count in words.items() if len(word) >= MIN_LETTERS)


def truth_of(file: Path, folder: Path) -> dict[str, Any] | None:
    for name in (f"{file.name}.json", f"{file.stem}.json"):
        if (folder / name).exists():
            loaded: dict[str, Any] = json.loads((folder / name).read_text())
            return loaded
    return None


def read_bare(engine: RapidOCR, pool: ReaderPool, file: Path, page: PageReading) -> tuple[float, str]:
    """Seconds and text."""
    points = file.suffix == ".pdf"
    width = round(page.width * OCR_DPI / POINTS_AN_INCH) if points else int(page.width)
    rendered = pool.render(file, page.number, width, rotation=page.rotation, image_format="png")
    pixels = np.asarray(Image.open(io.BytesIO(rendered.data)).convert("RGB"))[:, :, ::-1]
    started = time.perf_counter()
    output = engine(np.ascontiguousarray(pixels))
    return time.perf_counter() - started, " ".join(output.txts or ())


def measure(file: Path, truth: dict[str, Any] | None, engine: RapidOCR, pool: ReaderPool) -> Measured:
    """Of a file of several pages the bare engine reads the first, and its words are not compared."""
    count = pool.inspect(file).page_count
    started = time.perf_counter()
    pages = pool.read(file, range(1, count + 1))
    seconds = (time.perf_counter() - started) / count
    text = " ".join(join_text(page.words) for page in pages)
    scored = score(text, truth) if truth else None
    if "rapidocr" not in pages[0].engine:
        return Measured(scored, None, seconds, None, pages[0].engine)
    bare_seconds, bare_text = read_bare(engine, pool, file, pages[0])
    bare = score(bare_text, truth) if truth and count == 1 else None
    return Measured(scored, bare, seconds, bare_seconds, pages[0].engine)


def print_mean(measured: list[Measured]) -> None:
    pairs = [(each.product, each.bare) for each in measured if each.product and each.bare and each.bare.f1 is not None]
    for name, scores in (("product", [one for one, _ in pairs]), ("bare engine", [other for _, other in pairs])):
        if scores:
            means = (
                sum(values) / len(scores)
                for values in zip(*((s.recall, s.found, s.f1 or 0) for s in scores), strict=True)
            )
            print(f"mean of {len(scores)}, {name:29}" + " ".join(f"{mean:6.3f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    folder: Path = parser.parse_args().data
    files = folder / "files" if (folder / "files").is_dir() else folder
    pool, engine = get_pool(), RapidOCR(params=SETTINGS)
    warm_up(pool, engine)
    print(f"{'':54}{'product':20} {'bare engine':20}")
    names = f"{'recall':>6} {'found':>6} {'F1':>6}"
    print(f"{'file':40} {'engine':12} {names} {names} {'s/page':>8} {'bare':>8} {'ratio':>6}")
    measured = []
    for file in sorted(f for f in files.iterdir() if f.is_file() and f.suffix != ".md"):
        try:
            measured.append(measure(file, truth_of(file, folder / "ground_truth"), engine, pool))
            print(f"{file.name:40} {measured[-1]}", flush=True)
        except AppError as refused:
            print(f"{file.name:40} {refused}")
    print_mean(measured)


def warm_up(pool: ReaderPool, engine: RapidOCR) -> None:
    """Loading the models is no part of reading a page."""
    picture = Image.new("RGB", (200, 60), "white")
    engine(np.asarray(picture))
    pool.read(DEFAULT_DATA / "sroie_003.jpg", [1])


if __name__ == "__main__":
    main()
