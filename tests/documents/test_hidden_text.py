"""Text that nobody sees is left out, and the file says that there was some."""

from reader.markup.hiding_rules import list_rules
from tests.documents.laid_out import lay_out, list_rows
from tests.documents.office_files import open_document

HIDDEN = '<style:style style:name="{}" style:parent-style-name="{}">{}</style:style>'
NONE = '<style:text-properties text:display="none"/>'


def test_text_that_a_style_of_a_page_hides_is_left_out_and_counted() -> None:
    page = """<html><head><style>
      .note, #draft { display: none } .note.shown { display: block }
      @media print { .terms { display: none } } @media screen { .dark { visibility: hidden } }
      a:hover { display: none } /* p { display: none } */
    </style></head><body><p>Net 12.50</p><p class=note>hidden one two</p><p id=draft>hidden three</p>
    <p class="note shown">shown again</p><p class=terms>terms</p><p class=dark>dark</p><p style="display:none">inline</p>
    <table><tr><td>cell</td><td class=note>hidden cell</td></tr><tr class=note><td>row</td></tr></table></body></html>"""
    mail = "From: a@b.c\nMIME-Version: 1.0\nSubject: s\nContent-Type: text/html\n\n"
    for data, others in ((page.encode(), []), ((mail + page).encode(), ["s", "From: a@b.c"])):
        assert list_rows(data) == [*others, "Net 12.50", "shown again", "terms", "cell"]
        [gap] = lay_out(data).gaps
        assert (gap.kind, gap.reason.split(" ", 1)[0]) == ("hidden", "10")


def test_broken_style_sheets_end() -> None:
    for text in (
        "{" * 5000 + "none",
        "@media x {" * 5000 + "none",
        "a{display:none" * 3000,
        "@" * 9000 + "none",
        "}none{",
    ):
        assert len(list(list_rules(text))) <= 300


def test_text_that_a_style_of_open_document_hides_is_left_out_and_counted() -> None:
    styles = HIDDEN.format("h", "", NONE) + HIDDEN.format("of", "h", "") + HIDDEN.format("round", "round", "")
    body = (
        '<text:p>Price <text:span text:style-name="h">internal margin 22</text:span>4,100</text:p>'
        '<text:p text:style-name="of">gone</text:p><text:section text:display="none"><text:p>section</text:p></text:section>'
        '<text:p>ends<text:hidden-text text:is-hidden="true" text:string-value="one two"/></text:p>'
        '<text:p text:style-name="round">stays</text:p>'
    )
    data = open_document("text", body, styles)
    assert list_rows(data) == ["Price 4,100", "ends", "stays"]
    [gap] = lay_out(data).gaps
    assert gap.kind == "hidden" and gap.reason.startswith("7 words are hidden")


def test_flat_open_document_is_read_like_its_archive() -> None:
    begin = '<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.{}">'
    text = f"{begin.format('text')}<office:body><office:text><text:p>Flat text</text:p></office:text></office:body></office:document>"
    note = "<office:annotation><dc:creator>Ada</dc:creator><text:p>since May</text:p></office:annotation>"
    cells = (
        f'<table:table-cell office:value-type="float" office:value="7">{note}<text:p>7,00</text:p></table:table-cell>'
    )
    row = f'<table:table-row table:visibility="collapse">{cells}</table:table-row>'
    table = f'<table:table table:name="S">{row}</table:table>'
    sheet = f"{begin.format('spreadsheet')}<office:body><office:spreadsheet>{table}</office:spreadsheet></office:body></office:document>"
    assert list_rows(text.encode()) == ["Flat text"]
    assert list_rows(sheet.encode()) == ["S", "(hidden: row 1)", "7,00", "[A1] [Ada] since May"]
