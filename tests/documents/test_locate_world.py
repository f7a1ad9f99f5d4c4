"""Numbers and dates as the world prints them: what says a value, and what nearly says it."""

import pytest

from printed.amounts import find_amounts
from printed.dates import find_dates
from printed.periods import find_periods
from tests.documents.locate_pages import find, line_of, one

LABEL = {"properties": {"reference": {"title": "Sum"}}}


@pytest.mark.parametrize(
    ("printed", "value", "near_misses"),
    [
        ("١٬٢٣٤٫٥٠", 1234.5, [123450, -1234.5]),
        ("٣٤١٧", 3417, [3418]),
        ("٣٤١٧", "3417", ["3418"]),
        ("३४१७.५०", 3417.5, [341750]),
        ("￥１２，８００", 12800, [128, -12800, 12800000]),
        ("￥12,800", 12800, [1280, 12.8]),
        ("12,800円", 12800, [12.8]),
        ("₩1,250", 1250, [1.25]),
        ("（２，４１０．７５）", -2410.75, [241075]),
        ("12৪", None, [124, 128]),
        ("CHF 8’250.—", 8250, [825, 8250000]),
        ("EUR 940,--", 940, [94, -940]),
        ("Rs. 5,00,000/-", 500000, [-500000, 5000]),
        ("7.201,33 S", -7201.33, [7201.33]),
        ("7.201,33 H", 7201.33, [-7201.33]),
        ("1.200,00 Soll", -1200, [1200]),
        ("1.200,00 Haben", 1200, [-1200]),
        ("RM 12.50 S", 12.5, [-12.5]),
        ("$12.50 T", 12.5, [12500]),
        ("$12.50 M", 12.5, [12500]),
        ("7'201.33 S", -7201.33, [7201.33]),
        ("DR 6,120.40", None, [-612040]),
        ("6,120.40 DR", -6120.4, [6120.4]),
        ("6,120.40 CR", 6120.4, [-6120.4]),
        ("4,2 Mio. EUR", 4200000, [4.2, 4200, 4200000000, -4200000]),
        ("EUR 2,75 Mrd.", 2750000000, [2.75, 2750000]),
        ("$3.5 bn", 3500000000, [3.5, 3500000]),
        ("4.2 mn", 4200000, [4.2]),
        ("$250k", 250000, [250, 250000000]),
        ("250 k€", 250000, [250]),
        ("€1.2M", 1200000, [1.2, 1200]),
        ("TEUR 250", 250000, [250]),
        ("4,2 M€", 4200000, [4.2]),
        ("USD 3.5MM", 3500000, [3.5]),
        ("Mio. EUR 4,2", 4200000, [4.2]),
        ("12 M", None, [12000000]),
        ("₹12,34,567.50", 1234567.5, [1234567500]),
        ("₹ 3.5 lakh", 350000, [3.5]),
        ("Rs 2 crore", 20000000, [2]),
        ("₹ 2.5 Cr", 25000000, [2.5]),
        ("1 290:50 kr", 1290.5, [1290, 129050, 290]),
        ("kr 290:50", 290.5, [290]),
        ("10:30", None, [10.5, 10.3, 1030]),
        ("2 ½ m", 2.5, [2]),
        ("2½", 2.5, [2]),
        ("½ kg", 0.5, [2, 1]),
        ("12 3/4", 12.75, [12, 3, 4]),
        ("壹仟柒佰叁拾肆元伍角陆分", 1734.56, [1734, 17345.6]),
        ("人民币壹万贰仟元整", 12000, [1200]),
        ("金壱萬弐千円", 12000, [120000]),
        ("三千四百十二", 3412, [34012, 3402]),
        ("3億5,000万円", 350000000, [3, 5000, 350]),
        ("一二三百", None, [600, 123100, 1300]),
        ("one thousand nine hundred and two", 1902, [1000, 902, 1920]),
        ("Twenty-two thousand four hundred", 22400, [2400]),
        ("a two hundred euro note", 200, [100]),
        ("one hundred twenty-three and 45/100 dollars", 123.45, [123, 45]),
        ("minus five hundred", -500, [500]),
        ("twenty thirty", None, [50]),
        ("三万五万", None, [80000]),
        ("two and three thousand", None, [5000]),
        ("eintausendneunhundertzwei", 1902, [1000]),
        ("zweiundzwanzigtausend", 22000, [20000]),
        ("mille neuf cent quatre-vingt-douze", 1992, [1980]),
        ("one thousand seven hundred thirty-four dollars and fifty-six cents", 1734.56, [1734, 56]),
        ("Seventeen hundred US dollars and five cents", 1700.05, [1700]),
        ("zwölfhundert Euro und zwanzig Cent", 1200.2, [1200]),
        ("mil setecientos treinta y cuatro", 1734, [1704, 34]),
        ("quinientos doce mil cien euros con diez céntimos", 512100, [512, 612]),
        ("dos mil euros y veintitrés céntimos", 2000.23, [2000]),
        ("millesettecentotrentaquattro", 1734, [1700]),
        ("ventunomila", 21000, [20000]),
        ("zeventienhonderdvierendertig", 1734, [1700]),
        ("tweeëntwintigduizend", 22000, [20000]),
        ("tysiąc siedemset trzydzieści cztery złote i pięćdziesiąt groszy", 1734.5, [1734]),
        ("doscientos trescientos", None, [500]),
        ("ocho y veinte", None, [28]),
        ("令和8年3月14日", "2026-03-14", ["2025-03-14", "2026-03-15", "2008-03-14"]),
        ("令和元年5月1日", "2019-05-01", ["2018-05-01"]),
        ("令和八年四月三十日", "2026-04-30", ["2026-04-03"]),
        ("R8.4.30", "2026-04-30", ["2008-04-30", "1996-04-30"]),
        ("令和8.4.30", "2026-04-30", ["2008-04-30"]),
        ("平31.4.30", "2019-04-30", ["2031-04-30"]),
        ("民國115/3/15", "2026-03-15", ["2015-03-15"]),
        ("平成31年4月30日", "2019-04-30", ["2031-04-30"]),
        ("H31/4/30", "2019-04-30", ["2031-04-30"]),
        ("H32.4.30", None, ["2020-04-30"]),
        ("昭和64年1月7日", "1989-01-07", ["1964-01-07"]),
        ("S64.1.7", "1989-01-07", ["1964-01-07"]),
        ("㍻8年3月1日", "1996-03-01", ["2008-03-01"]),
        ("民國115年3月15日", "2026-03-15", ["2015-03-15", "2027-03-15"]),
        ("中華民國一百一十五年三月十五日", "2026-03-15", ["0115-03-15"]),
        ("二〇二六年三月十四日", "2026-03-14", ["2026-03-04"]),
        ("15/03/2569", "2026-03-15", ["2569-03-15", "2027-03-15"]),
        ("๑๕ มีนาคม พ.ศ. ๒๕๖๙", "2026-03-15", ["2025-03-15"]),
        ("١٧/٠٣/٢٠٢٦", "2026-03-17", ["2026-03-18"]),
        ("17 أبريل 2026", "2026-04-17", ["2026-03-17"]),
        ("KW 45/2026", "2026-W45", ["2026-W44", "2025-W45", "2026-Q4"]),
        ("KW45 2026", "2026-W45", ["2026-W05"]),
        ("week 45, 2026", "2026-W45", ["2026-W46"]),
        ("2026/KW 5", "2026-W05", ["2026-W50"]),
        ("CW 45/26", "2026-W45", ["2045-W26"]),
        ("KW 54/2026", None, ["2026-W54"]),
        ("Q1/2026", "2026-Q1", ["2026-Q2", "2025-Q1", "2026-01"]),
        ("Q3 2026", "2026-Q3", ["2026-Q1"]),
        ("1Q26", "2026-Q1", ["2026-Q2"]),
        ("2. Quartal 2026", "2026-Q2", ["2026-Q1"]),
        ("IV. Quartal 2026", "2026-Q4", ["2026-Q1"]),
        ("1er trimestre 2026", "2026-Q1", ["2026-Q2"]),
        ("3rd quarter of 2026", "2026-Q3", ["2026-Q2"]),
        ("first quarter of 2026", "2026-Q1", ["2026-Q2"]),
        ("erstes Quartal 2026", "2026-Q1", ["2026-Q2"]),
        ("Quartal II/2026", "2026-Q2", ["2026-Q1"]),
        ("H1 2026", "2026-H1", ["2026-H2", "2025-H1", "2026-Q1"]),
        ("2H26", "2026-H2", ["2026-H1"]),
        ("1. Halbjahr 2026", "2026-H1", ["2026-H2"]),
        ("zweites Halbjahr 2026", "2026-H2", ["2026-H1"]),
        ("first half of 2026", "2026-H1", ["2026-H2", "2026-Q1"]),
        ("2º semestre de 2026", "2026-H2", ["2026-H1"]),
        ("H3 2026", None, ["2026-H3"]),
        ("45. Kalenderwoche 2026", "2026-W45", ["2026-W04"]),
        ("2026年第1四半期", "2026-Q1", ["2026-01"]),
        ("March 2026", "2026-03", ["2026-04", "2025-03", "2026-03-01"]),
        ("März 2026", "2026-03", ["2026-05"]),
        ("mars de 2026", "2026-03", ["2026-05"]),
        ("03/2026", "2026-03", ["2026-02"]),
        ("令和8年3月", "2026-03", ["2008-03"]),
        ("2026年3月", "2026-03", ["2026-03-01"]),
        ("3 March 2026", None, ["2026-03"]),
        ("13/2026", None, ["2026-13", "2026-01"]),
    ],
)
def test_a_value_is_found_where_it_is_printed_and_no_other_one(printed, value, near_misses):
    text = f"Sum: {printed}"
    assert value is None or one(value, text, schema=LABEL).is_located
    assert [near for near in near_misses if one(near, text, schema=LABEL).is_printed] == []


def test_letters_of_another_column_do_not_turn_the_sign():
    assert one(7201.33, "Amount        Size\n7.201,33      S", name="amount").is_located


def test_each_value_of_a_page_of_all_kinds_stands_on_its_own_line():
    printed = {"saldo": "7.201,33 S", "umsatz": "4,2 Mio. EUR", "length": "2 ½ m", "frist": "R8.4.30"}
    values = {"saldo": -7201.33, "umsatz": 4200000, "length": 2.5, "frist": "2026-04-30"}
    locations = find(values, "\n".join(f"{name}: {text}" for name, text in printed.items()))
    assert [line_of(locations[name]) for name in values] == [1, 2, 3, 4]


def test_a_day_without_a_year_is_of_the_year_of_all_other_dates():
    paper = "Date: 03.04.2026\nTermin: 20. Mai"
    location = one("2026-05-20", paper, name="termin")
    assert (line_of(location), "year is not printed" in location.note) == (2, True)
    assert not one("2025-05-20", paper, name="termin").is_located
    assert not one("2026-05-20", f"{paper}\nPaid: 09.01.2027", name="termin").is_located
    assert not one("2026-05-20", "Termin: 20. Mai", name="termin").is_located


BOTH_ORDERS = "Date: 27/03/2026\nLieferdatum: 11/12/2026\nShip date: 12/11/2026"


def test_a_label_beats_the_order_of_day_and_month_on_the_page():
    location = one("2026-12-11", BOTH_ORDERS, name="ship_date")
    assert (line_of(location), "other way round" in location.note) == (3, True)
    assert line_of(one("2026-12-11", BOTH_ORDERS, name="lieferdatum")) == 2
    assert not one("2026-12-11", BOTH_ORDERS, name="reference").is_located


def test_dates_in_other_digits_do_not_decide_the_order():
    assert one("2026-12-11", "التاريخ: ١٧/٠٣/٢٠٢٦\nShip date: 12/11/2026", name="ship_date").is_located


def test_a_label_alone_does_not_turn_a_date():
    assert not one("2026-12-11", "Date: 27/03/2026\nShip date: 12/11/2026", name="ship_date").is_located


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1 ",
        "123 456 ",
        "1,",
        "1.2.3",
        "one ",
        "ein",
        "und",
        "vierund",
        "千",
        "壹",
        "3億",
        "令和",
        "2026年",
        "kw 4 ",
        "q1/26",
        "may 2026 ",
        "1/",
        "'26",
        "R8.",
        "½",
        "٣",
        "1٣",
        "x",
        "S ",
    ],
)
def test_ten_thousand_letters_are_read_once(piece):
    """A pattern that tries them in every way would not come back."""
    text = piece * (10_000 // len(piece)) + "!"
    assert len(list(find_periods(text))) <= len(text)
    assert len(list(find_amounts(text))) + len(list(find_dates(text))) <= len(text)
