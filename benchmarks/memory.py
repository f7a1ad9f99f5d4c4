"""Resident memory of a running `up`, process by process, idle and after its first work.

A document is read and a model call made, because onnxruntime and litellm are loaded by the first use.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.product import ROOT, Product

READ = {"ocr_completed", "ocr_failed", "llm_processing", "llm_completed", "llm_failed"}
# The first task of the agent worker lists the models, for which it loads litellm.
SETTLING_SECONDS = 15.0
FIRST_WORK = f"""{scripts.PEOPLE}
from django.core.files.base import ContentFile
from documents.intake import uploads
scan = open({str(ROOT / "tests/data/sroie_003.jpg")!r}, "rb").read()
uploads.store(actor, name="scan.jpg", content=ContentFile(scan))
"""
STATE = f"""{scripts.START}
from documents.models import Document
print(Document.objects.get().state)
"""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-memory-"))
    product = Product(folder)
    try:
        product.start()
        product.wait_until(product.is_ready, "the workers")
        time.sleep(SETTLING_SECONDS)
        report("idle", product)
        answer = product.run("-c", FIRST_WORK)
        if answer.returncode:
            sys.exit(answer.stderr)
        product.wait_until(lambda: product.run("-c", STATE).stdout.strip() in READ, "the reading")
        report("after a scan was read", product)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def report(when: str, product: Product) -> None:
    costs = measure_costs(product).values()
    print(f"\n{when}")
    for cost in costs:
        print(
            f"  {cost.resident:7.0f} MB resident {cost.share:7.0f} MB its share {cost.cpu_seconds:6.1f} s   {cost.name}"
        )
    total, seconds = sum(cost.share for cost in costs), sum(cost.cpu_seconds for cost in costs)
    print(f"  {total:27.0f} MB together  {seconds:6.1f} s of CPU")


if __name__ == "__main__":
    main()
