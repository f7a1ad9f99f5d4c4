"""Pages whose unit is no point, as of large drawings: PDFium takes each as one of points.

ISO 32000-1, 14.11.2 and table 30 (UserUnit).
"""

import re
from collections.abc import Sequence
from typing import BinaryIO

from reader.pdf.structure import Structure

SIGN = b"/UserUnit"
USER_UNIT = re.compile(rb"/UserUnit\s+([0-9]{1,6}(?:\.[0-9]{0,6})?)")
MAX_UNIT = 1000.0
# A larger file is not looked through, as it takes long.
MAX_BYTES = 50_000_000
# In points: no sheet is smaller, so the unit may stand where it is only seen once unpacked.
SMALLEST_SHEET = 150


def read_user_units(file: BinaryIO, sizes: Sequence[tuple[float, float] | None]) -> list[float]:
    """Read for each page how many points its unit has."""
    units = [1.0] * len(sizes)
    file.seek(0)
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES or not (SIGN in data or any(size and max(size) < SMALLEST_SHEET for size in sizes)):
        return units
    structure = Structure(data)
    pages = structure.pages
    if len(pages) != len(sizes):
        return units
    return [read_unit(structure.objects[page].dictionary) for page in pages]


def read_unit(dictionary: bytes) -> float:
    match = USER_UNIT.search(dictionary)
    unit = float(match[1]) if match else 1.0
    return unit if 0 < unit <= MAX_UNIT else 1.0
