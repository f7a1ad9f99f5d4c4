"""XLSX: what stands in a book besides stored numbers, and what is computed or said where nothing is stored."""

from reader.office.workbook.evaluation import MAX_STEPS, Evaluator, Value
from tests.documents.hostile_kinds import xlsx_parts
from tests.documents.laid_out import lay_out, list_rows
from tests.documents.office_files import pack, relations

STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
CHART = (
    "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>"
    '<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx>'
    '<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache>'
    "</c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>#,##0.0</c:formatCode>"
    '<c:pt idx="0"><c:v>1204.5</c:v></c:pt><c:pt idx="1"><c:v>88</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>'
    "</c:plotArea></c:chart>"
)


def make_rows(*rows: str) -> str:
    return "".join(f"<row>{row}</row>" for row in rows)


def compute(formula: str, **cells: Value) -> float | None:
    values = {(0, at): value for at, value in enumerate(cells.values())}
    return Evaluator(lambda _, place: (values.get(place), "")).evaluate("S", (9, 9), formula)


def test_formulas_without_values_are_computed_where_they_are_sums_and_said() -> None:
    data = xlsx_parts(
        make_rows(
            "<c><v>2</v></c><c><v>45.1</v></c><c><f>A1*B1</f></c>",
            "<c><v>10</v></c><c><v>1.25</v></c><c><f>A2*B2</f></c>",
            "<c><f>SUM(C1:C2)</f></c><c><f>ROUND(C1/7,2)</f></c><c><f>VLOOKUP(1,A1:B2,2)</f></c>",
        )
    )
    assert list_rows(data)[1:4] == ["2 | 45.1 | 90.2", "10 | 1.25 | 12.5", "102.7 | 12.89 | =VLOOKUP(1,A1:B2,2)"]
    computed, other = lay_out(data).gaps
    assert (computed.kind, computed.part, other.kind, other.part) == ("computed", "S", "formula", "S")
    assert "4 formulas (C1, C2, A3, B3) were computed here" in computed.reason
    assert "1 formula (C3) was not computed" in other.reason


def test_sums_are_computed_as_a_sheet_computes_them() -> None:
    assert compute("=-(A1+B1)*2/4%", a=1.0, b=2.0) == -150.0
    assert compute("=SUM(A1:C1,10)+D9", a=1.0, b="net", c=2.5) == 13.5
    assert compute("=ROUND(2.345;2)") == 2.35 and compute("=ROUND(-150,-2)") == -200.0
    for refused in (
        "=A1+B1",
        "=1/0",
        "=A1^2",
        "=IF(A1,1,2)",
        '="a"',
        "=A1 B1",
        "=SUM(A1",
        "=R1!A1:B2",
        "=",
        "=SUMX(1)",
    ):
        assert compute(refused, a=1.0, b="net") is None, refused


def test_formulas_that_lead_to_themselves_are_not_computed() -> None:
    formulas = {(0, 0): "=B1", (0, 1): "=A1+1", (0, 2): "=SUM(A1:C1)"}
    evaluator = Evaluator(lambda _, place: (None, formulas.get(place, "")))
    assert [evaluator.evaluate("S", place, formula) for place, formula in formulas.items()] == [None] * 3
    assert evaluator.steps > MAX_STEPS - 100


def test_sums_reach_other_sheets() -> None:
    asked = []

    def find(sheet: str, place: tuple[int, int]) -> tuple[Value, str]:
        asked.append((sheet, place))
        return 4.0, ""

    assert Evaluator(find).evaluate("S", (0, 0), "='Costs 2026'!B2+Rates!$A$1*2") == 12.0
    assert asked == [("Costs 2026", (1, 1)), ("Rates", (0, 0))]


def test_strict_sheets_are_read_with_their_days() -> None:
    kind = "http://purl.oclc.org/ooxml/officeDocument/relationships"
    named = '<Relationships><Relationship Id="{}" Type="{}/{}" Target="{}"/></Relationships>'
    data = pack(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": named.format("a", kind, "officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f'<x:workbook xmlns:x="{STRICT}" xmlns:r="{kind}"><x:sheets><x:sheet name="S" r:id="b"/>'
            "</x:sheets></x:workbook>",
            "xl/_rels/workbook.xml.rels": named.format("b", kind, "worksheet", "worksheets/one.xml"),
            "xl/worksheets/one.xml": f'<x:worksheet xmlns:x="{STRICT}"><x:sheetData><x:row><x:c t="inlineStr"><x:is>'
            '<x:t>Paid_x000D__x005F_x</x:t></x:is></x:c><x:c t="d"><x:v>2026-03-14T00:00:00Z</x:v></x:c></x:row>'
            "</x:sheetData></x:worksheet>",
        }
    )
    assert list_rows(data) == ["S", "Paid _x | 2026-03-14"]


def test_hidden_rows_and_columns_are_marked() -> None:
    rows = '<row r="1"><c><v>1</v></c><c><v>2</v></c></row><row r="2" hidden="1"><c><v>3</v></c></row>'
    data = xlsx_parts(rows, around='<cols><col min="2" max="90" hidden="1"/></cols>')
    assert list_rows(data) == ["S", "(hidden: row 2; column B)", "1 | 2", "3 | "]


def test_headers_footers_boxes_and_charts_of_a_sheet_are_read() -> None:
    around = (
        '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12ACME &amp;&amp; Co&amp;RPage &amp;P</oddHeader>'
        '<oddFooter>&amp;CConfidential</oddFooter></headerFooter><drawing r:id="r0"/>'
    )
    drawing = (
        "<xdr:sp><xdr:txBody><a:p><a:r><a:t>Checked by Ada</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
        '<xdr:graphicFrame><c:chart r:id="r0"/></xdr:graphicFrame>'
    )
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("drawing", "../drawings/drawing1.xml")),
        "xl/drawings/drawing1.xml": f"<xdr:wsDr>{drawing}</xdr:wsDr>",
        "xl/drawings/_rels/drawing1.xml.rels": relations(("chart", "../charts/chart1.xml")),
        "xl/charts/chart1.xml": f"<c:chartSpace>{CHART}</c:chartSpace>",
    }
    around = around.replace("r:id", 'xmlns:r="r" r:id')
    assert list_rows(xlsx_parts("<row><c><v>1</v></c></row>", around=around, parts=parts)) == [
        "ACME & Co",
        "S",
        "1",
        "Confidential",
        "Checked by Ada",
        "Sales",
        " | North",
        "Q1 | 1,204.5",
        "Q2 | 88.0",
    ]


def test_a_chart_without_values_is_a_gap() -> None:
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("drawing", "../drawings/drawing1.xml")),
        "xl/drawings/drawing1.xml": '<xdr:wsDr><c:chart r:id="r0"/></xdr:wsDr>',
        "xl/drawings/_rels/drawing1.xml.rels": relations(("chart", "../charts/chart1.xml")),
        "xl/charts/chart1.xml": "<c:chartSpace><c:plotArea/></c:chartSpace>",
    }
    around = '<drawing xmlns:r="r" r:id="r0"/>'
    [gap] = lay_out(xlsx_parts("<row><c><v>1</v></c></row>", around=around, parts=parts)).gaps
    assert gap.kind == "embedded"


def test_numbers_that_a_format_hides_are_counted() -> None:
    styles = '<numFmts><numFmt numFmtId="200" formatCode=";;;"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>'
    [gap] = lay_out(xlsx_parts('<row><c t="str"><v>x</v></c><c><v>7</v></c></row>', styles=styles)).gaps
    assert gap.kind == "hidden" and "1 number is hidden" in gap.reason
