"""Each hostile file at a reader of its own: how it ends, and that it stays within its seconds and its memory."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import TypedDict

import pytest

from reader.pool.process import ROOT
from reader.pool.refusals import TWICE
from tests.documents import hostile_containers, hostile_files, hostile_kinds, hostile_mails

pytestmark = pytest.mark.hostile
# What an idle reader takes.
IDLE_MEGABYTES = 60
EXPENSIVE = "used more computing time than it may"
# Where others take the cores, the limit by the clock is reached first.
LATE = "took longer than 60 seconds and was stopped"
OUTCOMES: dict[Callable[[], bytes], str] = {
    hostile_files.csv_of_columns: "382 pages",
    hostile_files.mail_of_parts: "251 pages",
    hostile_files.endless_line: "411 pages",
    hostile_files.empty_lines: "TooLarge: The file has more than 500 pages",
    hostile_files.make_nested_forms: "more memory than reading may use",
    hostile_files.content_bomb: "more memory than reading may use",
    hostile_files.huge_font: "more memory than reading may use",
    hostile_files.page_of_words: "TooLarge: A page of the PDF has more than 300,000 objects to draw",
    hostile_files.make_clipped_paths: "TooLarge: A page of the PDF has more than 300,000 objects to draw",
    hostile_files.one_long_text: "TooLarge: A page of the PDF has 600,118 characters of text; the limit is 200,000",
    hostile_files.many_annotations: "TooLarge: A page of the PDF has 50,000 notes and form fields",
    hostile_files.many_pages: "TooLarge: The file has 100000 pages; the limit is 500",
    hostile_files.lost_objects: "1 pages, 0 words",
    hostile_files.page_tree: "1 pages, 0 words",
    hostile_files.table_loop: "1 pages, 5 words",
    hostile_files.chunk_bomb: "Invalid: The file is damaged",
    hostile_files.many_chunks: "TooLarge: The picture consists of more than 100,000 chunks",
    hostile_files.many_late_chunks: "TooLarge: The picture consists of more than 100,000 chunks",
    hostile_files.many_segments: "TooLarge: The picture has more than 10,000 segments before its first line",
    hostile_files.make_filled_jpeg: "TooLarge: The picture has more than 10,000 segments before its first line",
    hostile_files.archive_of_members: "TooLarge: The file consists of more than 20,000 parts",
    hostile_files.entities: "1 pages",
    hostile_files.make_looped_tiff: "1 pages, 0 words",
    hostile_files.larger_picture: "TooLarge: The picture has 42 megapixels; the limit is 40",
    hostile_files.make_tiling_pattern: EXPENSIVE,
    hostile_kinds.cycles_of_formulas: "108 pages, 10041 words",
    hostile_kinds.formats_of_many_letters: "1 pages, 201 words",
    hostile_kinds.ten_thousand_lists: "40 pages, 3000 words",
    hostile_kinds.page_of_hiding_rules: "466 pages, 20000 words",
    hostile_kinds.elements_of_docx: "TooLarge: The file has more than 600,000 elements",
    hostile_kinds.huge_jp2: "TooLarge: The picture has more than 60 megapixels",
    hostile_kinds.long_json: "TooLarge: The file has more than 500 pages",
    hostile_kinds.many_tags: "Invalid: The HTML page cannot be read",
    hostile_kinds.nested_html: "TooLarge: The page is nested more than 512 levels deep",
    hostile_kinds.nested_json: "TooLarge: The file is nested more than 100 levels deep",
    hostile_kinds.nested_shapes: "TooLarge: The file is nested more than 200 levels deep",
    hostile_kinds.nested_tables: "TooLarge: The file is nested more than 200 levels deep",
    hostile_kinds.open_rtf: "Invalid: The file holds no text",
    hostile_kinds.part_of_zeros: "TooLarge: A part of the file has more than 40 MB unpacked",
    hostile_kinds.repeated_cells: "TooLarge: A table has more than 20,000 columns or 300,000 cells",
    hostile_kinds.repeated_rows: "320 pages",
    hostile_kinds.sheet_of_last_cells: "64 pages, 3001 words",
    hostile_kinds.sheet_with_its_last_cell: "1 pages, 3 words",
    hostile_kinds.spans_of_html: "TooLarge: A table has more than 20,000 columns or 300,000 cells",
    hostile_kinds.strings_that_name_each_other: "Invalid: The file declares entities of its own",
    hostile_kinds.svg_of_uses: "Invalid: The file is damaged: it starts like an SVG picture, but cannot be drawn",
    hostile_kinds.tall_svg: "Invalid: The picture has one side more than 100 times as long as the other",
    hostile_kinds.yaml_that_names_itself: "1 pages, 31 words",
    hostile_kinds.mail_of_attachments: "35 pages, 6005 words",
    hostile_kinds.mail_of_short_parts: "TooLarge: The mail consists of more than 20,000 parts",
    hostile_kinds.nested_mail: "TooLarge: The mail has more parts inside of parts than are followed",
    hostile_kinds.mail_of_headers: "2 pages, 1668 words",
    hostile_kinds.shared_archive: "105 pages",
    hostile_containers.xls_of_far_cells: "more memory than reading may use",
    hostile_containers.message_in_a_loop: "1 pages",
    hostile_containers.message_that_holds_itself: "1 pages",
    hostile_containers.docx_of_pictures: "TooLarge: The file has more than 500 pages",
    hostile_containers.rtf_of_cells: "TooLarge: A table has more than 20,000 columns or 300,000 cells",
    hostile_containers.archive_of_flat_text: "1 pages, 7 words",
    hostile_mails.tnef_of_files: "TooLarge: It holds more than 2,000 files",
    hostile_mails.tnef_of_values: "1 pages",
    hostile_mails.tnef_of_repeats: "pages",
    hostile_mails.signed_in_signed: "1 pages",
    hostile_mails.open_lengths: "nested too deep, or in too many pieces",
    hostile_mails.compressed_zeros: "unpacks to more than 40 MB",
    hostile_mails.letters_of_no_encoding: "pages",
    # Drawn ones last: the peak is that of all so far.
    hostile_kinds.svg_that_asks_elsewhere: "1 pages, 0 words",
    hostile_files.huge_page: "1 pages, 2 words",
    hostile_files.large_picture: "1 pages, 0 words",
}
# They are drawn, and OCR looks at them.
MEGABYTES_OF_DRAWN = {
    hostile_files.huge_page: 600,
    hostile_files.large_picture: 1000,
    hostile_kinds.svg_that_asks_elsewhere: 700,
}


class Costs(TypedDict):
    seconds: float
    peak: float
    outcome: str


@pytest.fixture(scope="module")
def costs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Costs]:
    """Measured for the files that this run asks for: all of them take minutes."""
    folder = tmp_path_factory.mktemp("hostile")
    asked = [item.callspec.params.get("make") for item in request.session.items if hasattr(item, "callspec")]
    paths = {folder / make.__name__: make for make in OUTCOMES if make in asked}
    for path, make in paths.items():
        path.write_bytes(make())
    command = [sys.executable, "-m", "tests.documents.reading_costs", *paths]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {line["name"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize("make", OUTCOMES, ids=lambda make: make.__name__)
def test_a_hostile_file_ends_within_its_limits(costs: dict[str, Costs], make: Callable[[], bytes]) -> None:
    cost = costs[make.__name__]
    is_late = OUTCOMES[make] == EXPENSIVE and LATE in cost["outcome"]
    assert OUTCOMES[make] in cost["outcome"] or is_late
    assert cost["seconds"] < 10 * (2 if TWICE in cost["outcome"] else 1)
    assert cost["peak"] < IDLE_MEGABYTES + MEGABYTES_OF_DRAWN.get(make, 500)
