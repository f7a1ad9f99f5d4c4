"""The same for files whose pages are made here: small ones that would take gigabytes, minutes or a deep stack."""

import copy
import io
import random
import zipfile
from collections.abc import Mapping

from tests.documents.office_files import docx, open_document, pack, paragraph, pptx

XML = '<?xml version="1.0"?>'
SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)


def xlsx_parts(
    sheet: str, strings: str = "", *, styles: str = "", around: str = "", parts: Mapping[str, str] | None = None
) -> bytes:
    """around: what stands behind the rows of the sheet. parts: others by their names."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return pack(
        {
            "[Content_Types].xml": f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="S" sheetId="1" '
            'r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/worksheet" '
            f'Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{office}/styles" Target="styles.xml"/>'
            f'<Relationship Id="r3" Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": SHEET.format(sheet).replace("</sheetData>", f"</sheetData>{around}"),
            "xl/sharedStrings.xml": strings or f'<sst xmlns="{main}"/>',
            "xl/styles.xml": f'<styleSheet xmlns="{main}">{styles}</styleSheet>',
        }
        | dict(parts or {})
    )


def sheet_of_last_cells(rows: int = 3000) -> bytes:
    """Every row has one cell, the last one that a row may have."""
    return xlsx_parts("".join(f'<row r="{at}"><c r="XFD{at}"><v>{at}</v></c></row>' for at in range(1, rows + 1)))


def sheet_with_its_last_cell() -> bytes:
    return xlsx_parts('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>')


def strings_that_name_each_other() -> bytes:
    names = zip("abcdefgh", "bcdefghi", strict=True)
    entities = "".join(f'<!ENTITY {name} "' + f"&{inner};" * 10 + '">' for inner, name in names)
    dtd = f'<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa">{entities}]>'
    strings = f'{dtd}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>&i;</t></si></sst>'
    return xlsx_parts('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', strings)


def cycles_of_formulas() -> bytes:
    """Each cell asks for the next one, the last for the first; and each sums up all of them."""
    cells = "".join(
        f'<row r="{at}"><c r="A{at}"><f>A{at % 5_000 + 1}+1</f></c><c r="B{at}"><f>SUM(A1:B5000)</f></c></row>'
        for at in range(1, 5_001)
    )
    return xlsx_parts(f'{cells}<row r="10001"><c r="A10001"><f>{"(" * 1900}1{")" * 1900}</f></c></row>')


def formats_of_many_letters() -> bytes:
    styles = "".join(f'<numFmt numFmtId="{at}" formatCode="{"0" * at + "yhm;[" * 2000}"/>' for at in range(200, 400))
    looks = "".join(f'<xf numFmtId="{at}"/>' for at in range(200, 400))
    cells = "".join(f'<c s="{at}"><v>12.5</v></c>' for at in range(200))
    return xlsx_parts(f"<row>{cells}</row>", styles=f"<numFmts>{styles}</numFmts><cellXfs>{looks}</cellXfs>")


def repeated_rows() -> bytes:
    cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    return open_document("spreadsheet", f'<table:table table:name="S">{row * 5000}</table:table>')


def repeated_cells() -> bytes:
    cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'
    row = f"<table:table-row>{cell * 50}</table:table-row>"
    return open_document("text", f"<table:table>{row * 500}</table:table>")


def elements_of_docx() -> bytes:
    return docx("<w:p/>" * 3_000_000)


def ten_thousand_lists() -> bytes:
    """Each with nine levels, each of which names all numbers a thousand times; and styles based on each other."""
    level = f'<w:lvl w:ilvl="{{}}"><w:start w:val="9"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="{"%1.%9" * 40}"/></w:lvl>'
    levels = "".join(map(level.format, range(9)))
    groups = "".join(f'<w:abstractNum w:abstractNumId="{at}">{levels}</w:abstractNum>' for at in range(3000))
    lists = "".join(
        f'<w:num w:numId="{at}"><w:abstractNumId w:val="{at % 3000}"/><w:lvlOverride w:ilvl="8"><w:startOverride '
        f'w:val="3"/></w:lvlOverride></w:num>'
        for at in range(1, 10_001)
    )
    styles = "".join(
        f'<w:style w:styleId="s{at}"><w:basedOn w:val="s{(at + 1) % 500}"/><w:pPr><w:numPr/></w:pPr></w:style>'
        for at in range(500)
    )
    text = '<w:pStyle w:val="s{0}"/><w:numPr><w:ilvl w:val="8"/><w:numId w:val="{0}"/></w:numPr>'
    body = "".join(paragraph("x", text.format(at)) for at in range(1, 10_001, 10))
    return docx(body, numbering=groups + lists, styles=styles)


def nested_tables() -> bytes:
    return docx("<w:tbl><w:tr><w:tc>" * 5000 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 5000)


def part_of_zeros() -> bytes:
    return pack({"[Content_Types].xml": "", "word/document.xml": bytes(300 << 20)})


def nested_shapes() -> bytes:
    return pptx("<p:grpSp>" * 100_000 + "</p:grpSp>" * 100_000)


def nested_json() -> bytes:
    return b"[" * 5_000_000


def long_json() -> bytes:
    return b"[" + b'{"a":1,"b":[2]},' * 500_000 + b"1]"


def yaml_that_names_itself() -> bytes:
    lines = ["---", "a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefghi", "bcdefghij", strict=True)]
    return "\n".join(lines).encode()


def nested_html() -> bytes:
    return b"<html>" + b"<div><table><tr><td>" * 50_000


def page_of_hiding_rules() -> bytes:
    """Every rule matches every element, and the last one shows them again."""
    rules = b"*{display:none}p,b{display:none}" * 1000 + b"*{display:block}"
    return b"<html><style>" + rules + b"</style>" + b"<p>a<b>b</b>" * 20_000


def many_tags() -> bytes:
    return b"<html>" + b"<p>a<b>b</b>" * 900_000


def spans_of_html() -> bytes:
    row = b"<tr>" + b"<td colspan=1000 rowspan=1000>x" * 20
    return b"<html><table>" + row * 5000 + b"</table>"


def open_rtf() -> bytes:
    return b"{\\rtf1 " + b"{\\b " * 2_000_000


def svg_of_uses(levels: int = 9) -> bytes:
    uses = "".join(f'<g id="g{at + 1}">' + f'<use href="#g{at}"/>' * 10 + "</g>" for at in range(levels))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><g id="g0"><rect width="9" height="9"/></g>{uses}'
    return f'{svg}</defs><use href="#g{levels}"/></svg>'.encode()


def tall_svg() -> bytes:
    return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 900000"><rect width="1" height="900000"/></svg>'


def svg_that_asks_elsewhere() -> bytes:
    image = '<image href="{}" width="9" height="9"/>'
    images = "".join(map(image.format, ("http://127.0.0.1:1/a.png", "/etc/passwd", "file:///etc/passwd")))
    return f'{XML}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{images}</svg>'.encode()


def huge_jp2() -> bytes:
    """A code stream that says it is 60,000 pixels wide and high."""
    size = b"\xff\x51\0\x29\0\0" + b"".join(n.to_bytes(4, "big") for n in (60_000, 60_000, 0, 0, 60_000, 60_000, 0, 0))
    return b"\xff\x4f" + size + b"\0\1\7\1\1" + b"\xff\x52\0\x0c\0\0\0\1\0\5\4\4\0\1" + b"\xff\xd9"


def mail_of_attachments(count: int = 1500) -> bytes:
    head = "From: a@b.c\nMIME-Version: 1.0\nMessage-ID: <1>\nContent-Type: multipart/mixed; boundary=b\n\n"
    part = '--b\nContent-Disposition: attachment; filename="a{0}.txt"\n\npart {0}\n'
    return (head + "".join(map(part.format, range(count))) + "--b--\n").encode()


def mail_of_short_parts(count: int = 300_000) -> bytes:
    head = b"From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    return head + b"--b\nContent-Type: text/plain\n\nx\n" * count + b"--b--\n"


def nested_mail(depth: int = 20_000) -> bytes:
    head = "From: a@b.c\nMIME-Version: 1.0\nMessage-ID: <1>\n"
    parts = (f"Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n" for at in range(depth))
    return (head + "".join(parts)).encode()


def mail_of_headers(count: int = 400_000) -> bytes:
    return b"From: a@b.c\nMIME-Version: 1.0\nMessage-ID: <1>\n" + b"To: =?utf-8?q?x?= <a@b.c>\n" * count + b"\ntext"


def shared_archive(count: int = 5000, megabytes: int = 5) -> bytes:
    """Thousands of names for the same packed bytes, which are little in themselves."""
    data = io.BytesIO()
    content = random.Random(1).randbytes(1 << 18) * (4 * megabytes)
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("0.txt", content)
        info = archive.getinfo("0.txt")
        for number in range(1, count):
            twin = copy.copy(info)
            twin.filename = f"{number}.txt"
            archive.filelist.append(twin)
    return data.getvalue()
