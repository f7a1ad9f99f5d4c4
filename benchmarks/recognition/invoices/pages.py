"""Where a made invoice prints what: six layouts, from a letterhead to one whose name stands in a logo and its foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.recognition.invoices.facts import Facts
from tests.documents.reader_files import assemble, objects_of

WIDTH, HEIGHT, LEFT, RIGHT = 595, 842, 50, 545
# Helvetica's letters are about half as wide as they are high.
BREADTH = 0.5
_ADDED = {
    "ą": "aogonek", "ć": "cacute", "ę": "eogonek", "ł": "lslash", "ń": "nacute", "ś": "sacute", "ź": "zacute",
    "ż": "zdotaccent", "Ś": "Sacute", "Ł": "Lslash", "Ż": "Zdotaccent",
}  # fmt: skip
_FIRST_ADDED = 128


class Sheet:
    """A page that texts are put on. `put_right` ends where it is told to."""

    def __init__(self) -> None:
        self.content: list[bytes] = []

    def put(self, x: float, y: float, text: str, size: float = 9) -> None:
        codes = bytes(_encode(char) for char in text)
        escaped = codes.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        self.content.append(b"BT /F1 %.1f Tf %.1f %.1f Td (%b) Tj ET\n" % (size, x, y, escaped))

    def put_right(self, x: float, y: float, text: str, size: float = 9) -> None:
        self.put(x - BREADTH * size * len(text), y, text, size)

    def put_lines(self, x: float, y: float, lines: Sequence[str], size: float = 9) -> float:
        for line in lines:
            self.put(x, y, line, size)
            y -= size + 4
        return y

    def write(self) -> bytes:
        objects, trailer = objects_of([b"".join(self.content)], f"/MediaBox [0 0 {WIDTH} {HEIGHT}]", ())
        names = " ".join(f"/{name}" for name in _ADDED.values())
        encoding = f"/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [{_FIRST_ADDED} /Euro {names}] >>"
        objects[2] = objects[2].replace(b"/Encoding /WinAnsiEncoding", encoding.encode())
        return assemble(objects, trailer)


def _encode(char: str) -> int:
    if char == "€":
        return _FIRST_ADDED
    return _FIRST_ADDED + 1 + list(_ADDED).index(char) if char in _ADDED else char.encode("cp1252")[0]


def list_meta(facts: Facts) -> list[tuple[str, str]]:
    words = facts.words
    meta = [(facts.choose(words.number), facts.number), (facts.choose(words.issued), facts.write_date(facts.issued))]
    if facts.due:
        meta.append((facts.choose(words.due), facts.write_date(facts.due)))
    if facts.order:
        meta.append((facts.choose(words.order), facts.order))
    return meta


def list_sums(facts: Facts) -> list[tuple[str, str]]:
    words, sign = facts.words, facts.chance.choice((facts.words.sign, "", facts.words.currency))
    total = (facts.choose(words.total), facts.write_amount(facts.total, facts.words.sign if sign == "" else sign))
    if not facts.tax_rate:
        return [total]
    label = facts.choose(words.tax)
    rate = f"{facts.tax_rate}%" if facts.chance.random() < 0.5 else f"{facts.tax_rate} %"
    label = label.replace("% %", "%").replace("%%", "%").replace("%", rate, 1)
    if not any(char.isdigit() for char in label):
        label = f"{label} {rate}"
    net = (facts.choose(words.subtotal), facts.write_amount(facts.subtotal, sign))
    return [net, (label, facts.write_amount(facts.tax, sign)), total]


def list_contact(facts: Facts) -> list[str]:
    vendor = facts.vendor
    contact = [vendor.phone, f"info@{vendor.domain}"]
    return [*contact, write_tax_id(facts)] if facts.prints_tax_id else contact


def write_tax_id(facts: Facts) -> str:
    label = facts.choose(facts.words.tax_id).rstrip(":")
    return f"{label}{facts.chance.choice((': ', ' '))}{facts.vendor.tax_id}"


def put_table(sheet: Sheet, facts: Facts, y: float) -> float:
    """Rows under their heads; some with a number, a rate, a currency or a description over two lines."""
    words, chance = facts.words, facts.chance
    heads = [facts.choose(head) for head in words.heads[:4]]
    numbered, signed = chance.random() < 0.4, words.sign if chance.random() < 0.4 else ""
    rated = facts.choose(words.heads[4]) if len(words.heads) > 4 and facts.tax_rate and chance.random() < 0.4 else ""
    xs = (LEFT + 30 * numbered, 270, 375, RIGHT)
    if numbered:
        sheet.put(LEFT, y, chance.choice(("#", "Pos", "Nr")))
    for at, (x, head) in enumerate(zip(xs, heads, strict=True)):
        (sheet.put_right if at else sheet.put)(x, y, head)
    if rated:
        sheet.put_right(430, y, rated)
    for number, row in enumerate(facts.rows, start=1):
        y -= 16
        if numbered:
            sheet.put(LEFT, y, str(number))
        sheet.put(xs[0], y, row.description)
        texts = (str(row.quantity), facts.write_amount(row.unit_price, signed), facts.write_amount(row.amount, signed))
        for x, text in zip(xs[1:], texts, strict=True):
            sheet.put_right(x, y, text)
        if rated:
            sheet.put_right(430, y, f"{facts.tax_rate}%")
    return y - 26


def put_sums(sheet: Sheet, facts: Facts, y: float, x: float = 440) -> float:
    for label, amount in list_sums(facts):
        sheet.put_right(x, y, label)
        sheet.put_right(RIGHT, y, amount)
        y -= 15
    return y - 15


def put_bank(sheet: Sheet, facts: Facts, x: float, y: float) -> None:
    if facts.iban:
        sheet.put(x, y, f"IBAN {facts.iban}", 7)


def put_letterhead(sheet: Sheet, facts: Facts) -> None:
    y = sheet.put_lines(LEFT, 790, [*facts.vendor.lines, *list_contact(facts)])
    sheet.put(400, 790, facts.choose(facts.words.title), 16)
    for at, (label, value) in enumerate(list_meta(facts)):
        sheet.put(360, 760 - 13 * at, label)
        sheet.put(470, 760 - 13 * at, value)
    colon = facts.chance.choice((":", ""))
    sheet.put_lines(LEFT, y - 20, [facts.choose(facts.words.customer) + colon, *facts.customer.lines])
    y = put_sums(sheet, facts, put_table(sheet, facts, y - 110))
    sheet.put(LEFT, y, facts.choose(facts.words.closing))
    put_bank(sheet, facts, LEFT, 60)


def put_window(sheet: Sheet, facts: Facts) -> None:
    """A sender's line over the window, labels over their values, and the rest in a foot of three columns."""
    vendor, dot = facts.vendor, facts.chance.choice((" · ", " - ", ", "))
    sheet.put(LEFT, 740, dot.join(vendor.lines), 6)
    attention = [f"{facts.choose(facts.words.attention)} {facts.choose(facts.words.people)}"]
    sheet.put_lines(LEFT, 722, [*facts.customer.lines[:1], *attention, *facts.customer.lines[1:]])
    sheet.put(LEFT, 630, facts.choose(facts.words.title), 14)
    for at, (label, value) in enumerate(list_meta(facts)):
        sheet.put(LEFT + 125 * at, 600, label, 8)
        sheet.put(LEFT + 125 * at, 588, value, 8)
    y = put_sums(sheet, facts, put_table(sheet, facts, 550))
    sheet.put(LEFT, y, facts.choose(facts.words.closing))
    sheet.put_lines(LEFT, 80, vendor.lines, 7)
    sheet.put_lines(230, 80, list_contact(facts), 7)
    sheet.put(400, 80, facts.choose(facts.words.registration), 7)
    put_bank(sheet, facts, 400, 68)


def put_two_parties(sheet: Sheet, facts: Facts) -> None:
    """Issuer and customer beside each other, facts in a line with colons."""
    title = facts.choose(facts.words.title)
    sheet.put(LEFT, 795, title, 18)
    sheet.put_lines(LEFT, 765, [*facts.vendor.lines, *list_contact(facts)])
    sheet.put_lines(320, 765, [f"{facts.choose(facts.words.customer)}:", *facts.customer.lines])
    y = 670.0
    for label, value in list_meta(facts):
        sheet.put(LEFT, y, f"{label}: {value}")
        y -= 13
    y = put_sums(sheet, facts, put_table(sheet, facts, y - 20), 460)
    sheet.put(LEFT, y, facts.choose(facts.words.closing))
    put_bank(sheet, facts, LEFT, y - 14)


def put_logo(sheet: Sheet, facts: Facts) -> None:
    """The name of the issuer is a picture; as text it stands in the foot alone."""
    vendor = facts.vendor
    sheet.put(LEFT, 790, facts.choose(facts.words.title), 20)
    person = f"{facts.choose(facts.words.attention)} {facts.choose(facts.words.people)}"
    sheet.put_lines(LEFT, 755, [facts.customer.name, person, facts.customer.street, facts.customer.city])
    for at, (label, value) in enumerate(list_meta(facts)):
        sheet.put(360, 755 - 13 * at, f"{label}:")
        sheet.put_right(RIGHT, 755 - 13 * at, value)
    put_sums(sheet, facts, put_table(sheet, facts, 660))
    foot = [*vendor.lines, *list_contact(facts)[:2]]
    sheet.put(LEFT, 60, " | ".join(foot), 7)
    if facts.prints_tax_id:
        sheet.put(LEFT, 50, f"{facts.choose(facts.words.registration)} | {write_tax_id(facts)}", 7)
    put_bank(sheet, facts, LEFT, 40)


def put_letter(sheet: Sheet, facts: Facts) -> None:
    """Running lines: the number in the heading, sums with colons below the rows."""
    vendor, words = facts.vendor, facts.words
    sheet.put_right(RIGHT, 800, vendor.name, 13)
    sheet.put_right(RIGHT, 786, f"{vendor.street}, {vendor.city}", 8)
    sheet.put_right(RIGHT, 775, " ".join(list_contact(facts)[:2]), 8)
    sheet.put_lines(LEFT, 740, facts.customer.lines)
    (number, _), *others = list_meta(facts)
    sheet.put(LEFT, 665, f"{number} {facts.number}", 13)
    for at, (label, value) in enumerate(others):
        sheet.put(LEFT, 645 - 13 * at, f"{label}: {value}")
    y = put_table(sheet, facts, 580)
    for label, amount in list_sums(facts):
        sheet.put(LEFT, y, f"{label}: {amount}")
        y -= 14
    sheet.put(LEFT, y - 10, facts.choose(words.closing))
    if facts.prints_tax_id:
        sheet.put(LEFT, 60, f"{vendor.name}, {write_tax_id(facts)}", 7)
    put_bank(sheet, facts, LEFT, 48)


def put_boxes(sheet: Sheet, facts: Facts) -> None:
    """Boxes with the label above its value, and a recapitulation of the tax beside the sums."""
    sheet.put_lines(LEFT, 800, facts.vendor.lines)
    sheet.put(LEFT, 755, " - ".join(list_contact(facts)), 7)
    sheet.put_lines(330, 740, [facts.choose(facts.words.customer), *facts.customer.lines])
    sheet.put(LEFT, 730, facts.choose(facts.words.title), 15)
    y = 700.0
    for label, value in list_meta(facts):
        sheet.put(LEFT, y, label, 7)
        sheet.put(LEFT, y - 11, value)
        y -= 28
    y = put_table(sheet, facts, 560)
    sums = list_sums(facts)
    for at, (label, amount) in enumerate(sums):
        x = RIGHT - 130 * (len(sums) - 1 - at)
        sheet.put_right(x, y, label, 8)
        sheet.put_right(x, y - 13, amount)
    sheet.put(LEFT, y - 45, facts.choose(facts.words.closing), 8)
    put_bank(sheet, facts, LEFT, 50)


def put_running(sheet: Sheet, facts: Facts) -> None:
    """Labels in one line with their values and glued to them, as machines of telephone companies print."""
    vendor, words = facts.vendor, facts.words
    sheet.put_lines(LEFT, 800, [vendor.name, f"{vendor.street} - {vendor.city}", "  ".join(list_contact(facts))], 8)
    sheet.put_lines(330, 745, facts.customer.lines)
    (number, _), (issued, day), *others = list_meta(facts)
    sheet.put(LEFT, 680, f"{number}{facts.number} {issued.lower()} {day}", 11)
    for at, (label, value) in enumerate(others):
        sheet.put(LEFT, 660 - 13 * at, f"{label} {value}")
    y = put_table(sheet, facts, 600)
    for label, amount in list_sums(facts):
        sheet.put_right(RIGHT, y, f"{label}{facts.chance.choice(('', ' ', ' : '))}{amount}")
        y -= 14
    sheet.put_lines(LEFT, y, [facts.choose(words.notes), facts.choose(words.closing)], 7)
    put_bank(sheet, facts, LEFT, y - 30)


def put_crowded(sheet: Sheet, facts: Facts) -> None:
    """All that misleads: an address of delivery, the tax number of the customer, a recapitulation, notes."""
    vendor, words = facts.vendor, facts.words
    sheet.put_lines(LEFT, 805, [*vendor.lines, *list_contact(facts)], 8)
    sheet.put_right(RIGHT, 805, facts.choose(words.title), 18)
    depot = [facts.choose(words.delivery), facts.choose(words.people), *facts.customer.lines[1:]]
    sheet.put_lines(LEFT, 715, [facts.choose(words.customer), *facts.customer.lines])
    sheet.put_lines(230, 715, depot)
    sheet.put(LEFT, 655, f"{words.your_tax_id}: {facts.choose(words.tax_ids)[:-1]}7", 8)
    for at, (label, value) in enumerate(list_meta(facts)):
        sheet.put(400, 715 - 12 * at, f"{label}:", 8)
        sheet.put_right(RIGHT, 715 - 12 * at, value, 8)
    y = put_table(sheet, facts, 620)
    if facts.tax_rate:
        heads = [facts.choose(words.tax).partition(" ")[0], facts.choose(words.subtotal)]
        texts = [f"{facts.tax_rate} %", facts.write_amount(facts.subtotal), facts.write_amount(facts.tax)]
        for x, head, text in zip((LEFT, 110, 200), (*heads, heads[0]), texts, strict=False):
            sheet.put(x, y, head, 7)
            sheet.put(x, y - 11, text, 7)
    y = put_sums(sheet, facts, y - 30)
    sheet.put_lines(LEFT, y, [*facts.chance.sample(words.notes.split("|"), 2), facts.choose(words.closing)], 7)
    put_bank(sheet, facts, LEFT, 50)


LAYOUTS: dict[str, Callable[[Sheet, Facts], None]] = {
    "letterhead": put_letterhead,
    "window": put_window,
    "two parties": put_two_parties,
    "logo": put_logo,
    "letter": put_letter,
    "boxes": put_boxes,
    "running": put_running,
    "crowded": put_crowded,
}


def write_invoice(layout: str, facts: Facts) -> bytes:
    sheet = Sheet()
    LAYOUTS[layout](sheet, facts)
    return sheet.write()
