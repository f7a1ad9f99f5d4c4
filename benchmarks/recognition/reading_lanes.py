"""Fifty scans dropped at once, and texts dropped behind them.

    python -m benchmarks.recognition.reading_lanes [--data DIR]

The bare engine reads the same scans in the same run, in as many processes as the product has readers for scans, warm
and of the same low priority. A text is readable when its reading is completed; the time counts from when its row was
made.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from rapidocr import RapidOCR

from benchmarks.instruments.processes import measure_costs
from reader.ocr.rapidocr_engine import SETTINGS
from reader.ocr.recognition import shrink
from reader.pages import Limits
from reader.pictures.images import ImageSource
from reader.pool.process import LOW_PRIORITY
from tests import scripts
from tests.product import ROOT, Product

DEFAULT_DATA = ROOT / "tests" / "data"
TEXT = DEFAULT_DATA / "gen_invoice_101.pdf"
PATIENCE_SECONDS = 1200.0
DROP = f"""{scripts.PEOPLE}
import json, sys, time
from pathlib import Path
from django.core.files.base import ContentFile
from documents.intake import uploads
def drop(names):
    for name in names:
        uploads.store(actor, name=Path(name).name, content=ContentFile(Path(name).read_bytes()))
scans, texts, later, pause = json.loads(sys.argv[1])
drop(scans + texts)
for name in later:
    time.sleep(pause)
    drop([name])
"""
ENDED = "SELECT count(*) FROM documents_reading WHERE status IN ('completed', 'failed')"
TIMES = """
SELECT d.name, d.created_at, r.finished_at, r.status FROM documents_reading r
JOIN documents_document d ON d.id = r.document_id ORDER BY d.created_at, d.id
"""


@dataclass(frozen=True)
class Timed:
    wall: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="a folder with scans as JPEG")
    parser.add_argument("--scans", type=int, default=50)
    parser.add_argument("--texts", type=int, default=10, help="dropped right behind the scans, and again one by one")
    parser.add_argument("--readers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    files = sorted(given.data.rglob("*.jpg"))
    scans = [str(file) for file in islice(cycle(files), given.scans)]
    print(f"{given.scans} scans ({len(files)} different ones), {given.readers} readers, {os.cpu_count()} cores")
    bare = measure_bare(scans, given.readers)
    print(f"bare engine   {bare.wall:7.1f} s {bare.cpu:7.1f} s of CPU  {given.scans / bare.wall:5.2f} scans a second")
    folder = Path(tempfile.mkdtemp(prefix="docrouter-lanes-"))
    product = Product(folder, environment={"READING_THREADS": str(given.readers)})
    try:
        measure_product(product, scans, [str(TEXT)] * given.texts, bare)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure_bare(scans: list[str], readers: int) -> Timed:
    with multiprocessing.get_context("spawn").Pool(readers, os.nice, (LOW_PRIORITY,)) as pool:
        # Each process has loaded the engine before the clock starts.
        pool.map(recognize, [scans[0]] * (4 * readers), chunksize=4)
        began = time.perf_counter()
        seconds = pool.map(recognize, scans, chunksize=1)
        return Timed(time.perf_counter() - began, sum(seconds))


def recognize(path: str) -> float:
    """The CPU that it takes: the picture decoded and scaled as in the product, then the engine."""
    began = time.process_time()
    with open(path, "rb") as file:
        picture = shrink(ImageSource(file, "jpeg", Limits(10**9, 500, 10**9)).open_frame(1))
    load_engine()(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]))
    return time.process_time() - began


@cache
def load_engine() -> RapidOCR:
    return RapidOCR(params=SETTINGS)


def measure_product(product: Product, scans: list[str], texts: list[str], bare: Timed) -> None:
    product.start()
    product.wait_until(product.is_ready, "the workers")
    drop_and_wait(product, scans[:6], texts[:1], [], pause=0)
    count, before = len(product.query(TIMES)), count_cpu(product)
    # One by one over most of the time that the scans take.
    drop_and_wait(product, scans, texts, texts, pause=0.7 * bare.wall / len(texts))
    spent = count_cpu(product) - before
    rows = product.query(TIMES)[count:]
    report_scans([row for row in rows if row[0].endswith(".jpg")], spent, bare)
    behind = [row for row in rows if row[0].endswith(".pdf")]
    report_texts("dropped right behind", behind[: len(texts)])
    report_texts("one by one after them", behind[len(texts) :])
    report_memory(product)


def drop_and_wait(product: Product, scans: list[str], texts: list[str], later: list[str], *, pause: float) -> None:
    [[ended]] = product.query(ENDED)
    answer = product.run("-c", DROP, json.dumps([scans, texts, later, pause]))
    if answer.returncode:
        sys.exit(answer.stderr)
    wanted = ended + len(scans) + len(texts) + len(later)
    product.wait_until(lambda: product.query(ENDED)[0][0] >= wanted, "the readings", seconds=PATIENCE_SECONDS)


def count_cpu(product: Product) -> Counter[str]:
    """Seconds so far, by kind of process."""
    seconds: Counter[str] = Counter()
    for cost in measure_costs(product).values():
        seconds[describe_kind(cost.name)] += cost.cpu_seconds
    return seconds


def describe_kind(name: str) -> str:
    if "reader" in name:
        return "reading: a reader"
    return "reading: the worker" if "reading" in name else name


def report_scans(rows: list[tuple[str, ...]], spent: Counter[str], bare: Timed) -> None:
    assert {row[3] for row in rows} == {"completed"}
    wall = seconds_between(min(row[1] for row in rows), max(row[2] for row in rows))
    print(f"product       {wall:7.1f} s {spent.total():7.1f} s of CPU  {len(rows) / wall:5.2f} scans a second")
    print(f"throughput beside the bare engine: {bare.wall / wall:.2f}")
    print(f"CPU of the readers beside it:      {spent['reading: a reader'] / bare.cpu:.2f}")
    print("CPU by process: " + ", ".join(f"{kind} {value:.1f} s" for kind, value in spent.most_common(6)))


def report_texts(when: str, rows: list[tuple[str, ...]]) -> None:
    waits = sorted(seconds_between(created, finished) for _, created, finished, _ in rows)
    high = waits[min(len(waits) - 1, int(len(waits) * 0.95))]
    print(f"texts {when}: readable after p50 {statistics.median(waits):.2f} s, p95 {high:.2f} s, all {waits[-1]:.2f} s")


def seconds_between(before: str, after: str) -> float:
    return (parse(after) - parse(before)) / 1000


def parse(moment: str) -> float:
    return np.datetime64(moment.replace(" ", "T")).astype("datetime64[ms]").astype(float)


def report_memory(product: Product) -> None:
    costs = [cost for cost in measure_costs(product).values() if "reading" in describe_kind(cost.name)]
    for cost in costs:
        print(f"  {cost.resident:7.0f} MB resident {cost.share:7.0f} MB its share   {describe_kind(cost.name)}")
    print(f"  {sum(cost.share for cost in costs):27.0f} MB in all reading processes")


if __name__ == "__main__":
    main()
