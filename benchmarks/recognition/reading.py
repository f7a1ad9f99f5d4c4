"""How well and how fast files are read: `python -m benchmarks.recognition.reading [--data DIR]`.

Words found are compared with each file's ground truth as bags of words: SROIE's lines, the words of an independent PDF
engine, or, for generated files, the fields. Beside the seconds a page stands the time of the bare engine for the same
rendered picture in the same run (one thread, word boxes, its own defaults otherwise as in production).
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

from documents.backends.reader.ocr.rapidocr_engine import SETTINGS
from documents.backends.readers import PageReading, ReaderPool, get_pool
from documents.backends.words import join_text
from kit.errors import AppError

DEFAULT_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
OCR_DPI = 200
POINTS_AN_INCH = 72


@dataclass(frozen=True)
class Score:
    recall: float
    f1: float | None


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


def score(words: Counter[str], truth: dict[str, Any]) -> Score:
    expected, whole = count_expected_words(truth)
    if not whole:
        # Fields repeat what the file may say once (a currency, a rate).
        return Score(len(expected.keys() & words.keys()) / len(expected), None)
    common = (words & expected).total()
    return Score(common / expected.total(), 2 * common / (words.total() + expected.total()))


def truth_of(file: Path, folder: Path) -> dict[str, Any] | None:
    for name in (f"{file.name}.json", f"{file.stem}.json"):
        if (folder / name).exists():
            loaded: dict[str, Any] = json.loads((folder / name).read_text())
            return loaded
    return None


def bare_seconds(engine: RapidOCR, pool: ReaderPool, file: Path, page: PageReading) -> float:
    points = file.suffix == ".pdf"
    width = round(page.width * OCR_DPI / POINTS_AN_INCH) if points else int(page.width)
    rendered = pool.render(file, page.number, width, rotation=page.rotation, image_format="png")
    pixels = np.asarray(Image.open(io.BytesIO(rendered.data)).convert("RGB"))[:, :, ::-1]
    started = time.perf_counter()
    engine(np.ascontiguousarray(pixels))
    return time.perf_counter() - started


def measure(file: Path, truth: dict[str, Any] | None, engine: RapidOCR, pool: ReaderPool) -> str:
    count = pool.inspect(file).page_count
    started = time.perf_counter()
    pages = pool.read(file, range(1, count + 1))
    seconds = (time.perf_counter() - started) / count
    scored = score(words_in(" ".join(join_text(page.words) for page in pages)), truth) if truth else None
    recall = f"{scored.recall:7.3f}" if scored else "      -"
    f1 = f"{scored.f1:6.3f}" if scored and scored.f1 is not None else "     -"
    timing = f"{seconds:8.3f}"
    if "rapidocr" in pages[0].engine:
        bare = bare_seconds(engine, pool, file, pages[0])
        timing += f" {bare:8.3f} {seconds / bare:6.2f}"
    return f"{file.name:40} {pages[0].engine:12} {recall} {f1} {timing}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    folder: Path = parser.parse_args().data
    files = folder / "files" if (folder / "files").is_dir() else folder
    pool, engine = get_pool(), RapidOCR(params=SETTINGS)
    warm_up(pool, engine)
    print(f"{'file':40} {'engine':12} {'recall':>7} {'F1':>6} {'s/page':>8} {'bare':>8} {'ratio':>6}")
    for file in sorted(f for f in files.iterdir() if f.is_file() and f.suffix != ".md"):
        try:
            print(measure(file, truth_of(file, folder / "ground_truth"), engine, pool), flush=True)
        except AppError as refused:
            print(f"{file.name:40} {refused}")


def warm_up(pool: ReaderPool, engine: RapidOCR) -> None:
    """Loading the models is no part of reading a page."""
    picture = Image.new("RGB", (200, 60), "white")
    engine(np.asarray(picture))
    pool.read(DEFAULT_DATA / "sroie_003.jpg", [1])


if __name__ == "__main__":
    main()
