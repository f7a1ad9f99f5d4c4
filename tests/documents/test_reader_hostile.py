"""Each hostile file at a reader of its own: how it ends, and that it stays within its seconds and its memory."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import TypedDict

import pytest

from documents.backends.reader_process import ROOT
from tests.documents import hostile_files

pytestmark = pytest.mark.hostile
# What an idle reader takes.
IDLE_MEGABYTES = 60
OUTCOMES: dict[Callable[[], bytes], str] = {
    hostile_files.csv_of_columns: "382 pages",
    hostile_files.mail_of_parts: "251 pages",
    hostile_files.endless_line: "TooLarge: The file has more than 500 pages",
    hostile_files.empty_lines: "TooLarge: The file has more than 500 pages",
    hostile_files.make_nested_forms: "more memory than reading may use",
    hostile_files.content_bomb: "more memory than reading may use",
    hostile_files.huge_font: "more memory than reading may use",
    hostile_files.page_of_words: "TooLarge: A page of the PDF has more than 300,000 objects to draw",
    hostile_files.make_clipped_paths: "TooLarge: A page of the PDF has more than 300,000 objects to draw",
    hostile_files.one_long_text: "TooLarge: A page of the PDF has 600,118 characters of text; the limit is 200,000",
    hostile_files.many_annotations: "TooLarge: A page of the PDF has 50,000 notes and form fields",
    hostile_files.many_pages: "TooLarge: The file has 100000 pages; the limit is 500",
    hostile_files.page_tree: "Invalid: The file is damaged",
    hostile_files.table_loop: "1 pages, 5 words",
    hostile_files.chunk_bomb: "Invalid: The file is damaged",
    hostile_files.many_chunks: "TooLarge: The picture consists of more than 100,000 chunks",
    hostile_files.many_late_chunks: "TooLarge: The picture consists of more than 100,000 chunks",
    hostile_files.many_segments: "TooLarge: The picture has more than 10,000 segments before its first line",
    hostile_files.make_filled_jpeg: "TooLarge: The picture has more than 10,000 segments before its first line",
    hostile_files.make_packed_office_file: "Invalid: Office files and other ZIP archives are not read yet",
    hostile_files.archive_of_members: "Invalid: Office files and other ZIP archives are not read yet",
    hostile_files.entities: "1 pages",
    hostile_files.make_looped_tiff: "1 pages, 0 words",
    hostile_files.larger_picture: "TooLarge: The picture has 42 megapixels; the limit is 40",
    hostile_files.make_tiling_pattern: "used more computing time than it may",
    hostile_files.huge_page: "1 pages, 2 words",
    hostile_files.large_picture: "1 pages, 0 words",
}
# They are drawn, and OCR looks at them.
MEGABYTES_OF_DRAWN = {hostile_files.huge_page: 600, hostile_files.large_picture: 1000}


class Costs(TypedDict):
    seconds: float
    peak: float
    outcome: str


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Costs]:
    folder = tmp_path_factory.mktemp("hostile")
    for make in OUTCOMES:
        (folder / make.__name__).write_bytes(make())
    paths = [str(folder / make.__name__) for make in OUTCOMES]
    command = [sys.executable, "-m", "tests.documents.reading_costs", *paths]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {line["name"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize("make", OUTCOMES, ids=lambda make: make.__name__)
def test_a_hostile_file_ends_within_its_limits(costs: dict[str, Costs], make: Callable[[], bytes]) -> None:
    cost = costs[make.__name__]
    assert OUTCOMES[make] in cost["outcome"]
    assert cost["seconds"] < 10
    assert cost["peak"] < IDLE_MEGABYTES + MEGABYTES_OF_DRAWN.get(make, 500)
