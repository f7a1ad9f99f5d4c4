"""Blocks, one after the other, on as many pages as they take."""

from collections.abc import Iterable, Sequence

from reader.failures import OverLimit
from reader.layout.blocks import (
    Below,
    Block,
    Box,
    Heading,
    Note,
    PageBreak,
    Paragraph,
    Picture,
    PlainLine,
    Slide,
    Table,
)
from reader.layout.fonts import measure
from reader.layout.pictures import SMALLEST, SetPicture, is_of_unread_kind, measure_picture
from reader.layout.set_pages import (
    HEIGHT,
    LINE_HEIGHT,
    MARGIN,
    WIDTH,
    Piece,
    Rule,
    SetPage,
    SetWord,
    Style,
    wrap_spaced,
    wrap_text,
)
from reader.layout.slides import keep_inside, place_picture, place_table, place_texts
from reader.layout.tables import GridRow, TableGrid

BODY, SPACED, NOTE = Style(9.5), Style(8.0, "mono"), Style(8.5, "regular", is_grey=True)
HEADINGS = tuple(Style(size, "bold") for size in (16.0, 13.5, 12.0, 11.0, 10.0, 9.5))
PARAGRAPH_GAP, HEADING_GAP, INDENT = 5.0, 10.0, 16.0
# As much as a heading of a line or two takes.
HEADING_ROOM = 50.0
# Ten long novels. The pages bound what can be set; this bounds what is looked at.
MAX_CHARACTERS = 8_000_000
MAX_PICTURES = 500


class Typesetter:
    """Raises OverLimit as soon as there is more than so many pages take."""

    def __init__(self, max_pages: int) -> None:
        self.max_pages = max_pages
        self.pages: list[SetPage] = []
        self.y = HEIGHT
        self.characters = 0
        self.table_count = 0
        self.picture_count = self.undrawn_pictures = 0

    def set(self, blocks: Iterable[Block]) -> list[SetPage]:
        for block in blocks:
            self.set_block(block)
        return self.pages

    def set_block(self, block: Block) -> None:
        match block:
            case Heading():
                self.set_heading(block)
            case Paragraph():
                self.set_text(block.text, BODY, block.address, indent=block.indent * INDENT)
                self.y += PARAGRAPH_GAP
            case PlainLine():
                self.set_line(block)
            case Note():
                self.set_text(block.text, NOTE)
                self.y += PARAGRAPH_GAP
            case Table():
                self.table_count += 1
                self.set_table(TableGrid(block, self.count, self.table_count))
            case Picture():
                self.set_picture(block)
            case PageBreak():
                self.y = HEIGHT
            case Slide():
                self.set_slide(block)

    def set_heading(self, block: Heading) -> None:
        style = HEADINGS[min(max(block.level, 1), len(HEADINGS)) - 1]
        if self.y + HEADING_GAP + 3 * LINE_HEIGHT * style.size > HEIGHT - MARGIN:
            self.y = HEIGHT
        elif self.y > MARGIN:
            self.y += HEADING_GAP
        self.set_text(block.text, style, block.address)
        self.y += PARAGRAPH_GAP

    def set_text(self, text: str, style: Style, address: str = "", indent: float = 0.0) -> None:
        self.count(text)
        indent = min(indent, WIDTH / 3)
        for pieces in wrap_text(text, style, WIDTH - 2 * MARGIN - indent):
            self.place_line(pieces, style, address, indent)

    def set_line(self, block: PlainLine) -> None:
        self.count(block.text)
        columns = int((WIDTH - 2 * MARGIN) / measure(" ", SPACED.face, SPACED.size))
        for spaces, pieces in wrap_spaced(block.text, SPACED, columns):
            self.place_line(pieces, SPACED, block.address, 0.0, spaces)

    def place_line(self, pieces: list[Piece], style: Style, address: str, indent: float, spaces: int = 0) -> None:
        """spaces: how many stand before the line in its file; a page is as wide as those need."""
        page = self.make_room(LINE_HEIGHT * style.size)
        left = MARGIN + indent
        for number, (text, x, width) in enumerate(pieces):
            before = 0 if number else spaces
            page.words.append(SetWord(text, left + x, self.y, width, style, address, indent=before))
            page.width = max(page.width, left + x + width + MARGIN) if spaces else page.width
        self.y += LINE_HEIGHT * style.size

    def set_picture(self, block: Picture) -> None:
        self.picture_count += 1
        size = measure_picture(block.data) if self.picture_count <= MAX_PICTURES else None
        if size is None:
            self.undrawn_pictures += is_of_unread_kind(block.data)
            self.set_block(Note(f"[picture: {block.text[:200]}]" if block.text else "[picture]"))
        elif min(size) >= SMALLEST:
            page = self.make_room(size[1])
            page.pictures.append(SetPicture(MARGIN, self.y, *size, block.data))
            self.y += size[1] + PARAGRAPH_GAP

    def set_slide(self, slide: Slide) -> None:
        page = self.begin_page(slide.width)
        page.height = slide.height
        rest = [Paragraph(text) for box in slide.boxes for text in self.set_box(page, slide, keep_inside(slide, box))]
        if below := (*rest, *slide.below):
            self.set_below(page, below)
        self.y = HEIGHT

    def set_below(self, page: SetPage, below: Sequence[Below]) -> None:
        page.width = max(page.width, WIDTH)
        if page.words or page.pictures:
            page.rules.append(Rule(0.0, page.height, page.width, page.height))
            self.y = page.height + PARAGRAPH_GAP
        for block in below:
            self.set_block(block)
        if self.pages[-1] is page:
            page.height = max(page.height, self.y + PARAGRAPH_GAP)

    def set_box(self, page: SetPage, slide: Slide, box: Box) -> list[str]:
        """Answers the lines that belong below the slide."""
        match box.content:
            case Table():
                self.table_count += 1
                place_table(page, box, TableGrid(box.content, self.count, self.table_count))
            case Picture(data, text):
                self.picture_count += 1
                if self.picture_count > MAX_PICTURES or not place_picture(page, box, data):
                    self.undrawn_pictures += is_of_unread_kind(data)
                    self.set_label(page, box, f"[picture: {text[:200]}]" if text else "[picture]")
            case Note(text):
                self.set_label(page, box, text)
            case texts:
                self.count("".join(each.text for each in texts))
                return place_texts(page, slide, box, texts)
        return []

    def set_label(self, page: SetPage, box: Box, text: str) -> None:
        for pieces in list(wrap_text(text, NOTE, box.width))[:1]:
            page.words += [SetWord(word, box.x + x, box.y, width, NOTE) for word, x, width in pieces]

    def set_table(self, grid: TableGrid) -> None:
        for band in grid.bands:
            page_width = max(WIDTH, band.width + 2 * MARGIN)
            self.require_width(page_width)
            names_shown_on = None
            for row in band.rows:
                names_shown_on = self.set_row(row, page_width, names_shown_on)
            self.y += PARAGRAPH_GAP + 2

    def require_width(self, width: float) -> None:
        """A heading alone is not left behind on a page of its own."""
        if self.pages and self.y < MARGIN + HEADING_ROOM:
            self.pages[-1].width = max(self.pages[-1].width, width)
        elif not self.pages or self.pages[-1].width < width:
            self.begin_page(width)

    def set_row(self, row: GridRow, page_width: float, names_shown_on: SetPage | None) -> SetPage:
        """Line by line: a row may be higher than a page. Returns the page it ended on, which bears the names."""
        for at in range(row.line_count):
            height = row.measure_line(at)
            page = self.make_room(row.measure_room(at), width=page_width)
            if page is not names_shown_on:
                self.y = row.band.draw_names(page, self.y)
                names_shown_on = page
            row.place_line(page, at, self.y, is_first_on_page=self.y <= MARGIN)
            self.y += height
        return self.pages[-1]

    def make_room(self, height: float, width: float = WIDTH) -> SetPage:
        if not self.pages or self.y + height > HEIGHT - MARGIN:
            return self.begin_page(width)
        return self.pages[-1]

    def begin_page(self, width: float) -> SetPage:
        if len(self.pages) == self.max_pages:
            raise OverLimit(f"The file has more than {self.max_pages} pages.")
        self.pages.append(SetPage(width))
        self.y = MARGIN
        return self.pages[-1]

    def count(self, text: str) -> None:
        self.characters += len(text)
        if self.characters > MAX_CHARACTERS:
            raise OverLimit(f"The file has more than {MAX_CHARACTERS:,} characters of text.")
