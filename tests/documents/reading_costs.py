"""What hostile files cost a reader: `python -m tests.documents.reading_costs FILE…`, a line of JSON for each.

A process of its own, because the peak of memory that the system tells is that of all children which ever ended.
"""

import json
import resource
import sys
from pathlib import Path

from kit.errors import AppError
from reader.kinds import BUNDLES
from reader.pool.parts import unpack_parts
from reader.pool.readers import ReaderPool


def main() -> None:
    for name in sys.argv[1:]:
        before = count_computing_seconds()
        outcome = read_all(Path(name))
        costs = {"seconds": count_computing_seconds() - before, "peak": peak_megabytes(), "outcome": outcome}
        print(json.dumps({"name": Path(name).name, **costs}), flush=True)


def read_all(path: Path) -> str:
    """The files in it, all pages, one by one as the product reads them, and the picture of the first, by one reader."""
    pool = ReaderPool(1)
    try:
        inspection = pool.inspect(path)
        count = inspection.page_count
        if inspection.kind in BUNDLES:
            list(unpack_parts(pool, path, maximum=200, max_bytes=50_000_000, group=""))
        words = sum(len(pool.read(path, [number])[0].words) for number in range(1, count + 1))
        pool.render(path, 1, 640)
        return f"{count} pages, {words} words"
    except AppError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        pool.close()


def count_computing_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_megabytes() -> float:
    """Of the largest child so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


if __name__ == "__main__":
    main()
