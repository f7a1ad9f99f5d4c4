"""ZIP archives as a list of the files in them."""

import zipfile
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from reader.bundles.parts import BundlePart, make_listing, require_size
from reader.failures import OverLimit, Unreadable
from reader.layout.blocks import Block, Heading
from reader.office.package import Package
from reader.pages import Limits

# Text packs to a tenth, a sheet of one value to a hundredth.
MAX_RATIO = 200
SMALL = 1_000_000
# Systems put these beside the files of people.
OWN_FILES = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    parts = list(list_parts(file, limits))
    if not parts:
        raise Unreadable("The archive holds no files.")
    yield Heading(f"{len(parts):,} files" if len(parts) > 1 else "1 file", 3)
    yield make_listing(parts)


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[BundlePart]:
    package = Package(file)
    for info in package.archive.infolist():
        is_own = info.filename.startswith(OWN_FILES) or info.filename.endswith(OWN_FILES)
        if not info.is_dir() and not is_own:
            yield BundlePart(info.filename, info.file_size, partial(load, package, info, limits))


def load(package: Package, info: zipfile.ZipInfo, limits: Limits) -> bytes:
    require_size(info.filename, info.file_size, limits)
    if info.file_size > SMALL and info.file_size > MAX_RATIO * max(1, info.compress_size):
        raise OverLimit(f"It unpacks to more than {MAX_RATIO} times its size.")
    if info.flag_bits & 1:
        raise Unreadable("It is locked with a password. Unpack the archive, then upload the file.")
    return package.read(info.filename)
