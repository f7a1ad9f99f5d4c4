"""Values by their number formats, beside what LibreOffice prints of them."""

import datetime
import json

import pytest

from reader.office.formats.values import count_days, format_value
from tests.documents.reader_files import DATA

TIME = datetime.datetime(2026, 3, 5, 14, 7, 9)  # noqa: DTZ001 - sheets know no time zone
# Format, value, LibreOffice 7.4's text with spaces joined; then ours and the reason, where it is another one.
CASES: list[list[str]] = json.loads((DATA / "number_formats.json").read_text(encoding="utf-8"))


def test_values_look_as_libreoffice_prints_them_or_as_the_standard_says() -> None:
    shown = {(code, value): " ".join(format_value(value, code).text.split()) for code, value, *_ in CASES}
    assert len(CASES) >= 200
    assert shown == {(code, value): others[0] if others else text for code, value, text, *others in CASES}


@pytest.mark.parametrize(
    "code", ["Standard", "0 Std", "0.0.0", "yyyy 0.00", "d xx", "[>3]0;[<2]0", "0" * 256, "0" * 40]
)
def test_what_is_not_understood_is_the_plain_value_and_said(code: str) -> None:
    assert format_value(2.5, code) == ("2.5", True)


def test_a_scaled_format_never_gives_the_whole_number_with_its_unit() -> None:
    assert format_value(1_734_560.0, '#,##0,"k"').text == "1,735k"


def test_dates_of_the_1904_system() -> None:
    assert format_value(44_633.0, "yyyy-mm-dd", from_1904=True).text == "2026-03-14"
    assert format_value(0.0, "d mmm yyyy", from_1904=True).text == "1 Jan 1904"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (TIME, "d.m.yy h:mm", "5.3.26 14:07"),
        (TIME.date(), "mmm d, yyyy", "Mar 5, 2026"),
        (TIME.time(), "hh:mm", "14:07"),
        (datetime.timedelta(hours=30, minutes=15), "[h]:mm", "30:15"),
    ],
)
def test_days_and_times_are_counted_as_a_sheet_counts_them(value: datetime.datetime, code: str, text: str) -> None:
    assert format_value(count_days(value), code).text == text


def test_values_that_are_no_numbers() -> None:
    assert [format_value(value, "0.00").text for value in (True, None, "net")] == ["TRUE", "", "net"]
    assert format_value(1e300, "0.00").text.startswith("1000")
    assert format_value(float("inf"), "0.00").text == "inf"


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ('[DBNum1][$-804]yyyy"年"m"月"d"日"', 46_095.0, "二〇二六年三月十四日"),
        ('[$-411][DBNum1]m"月"d"日"', 46_011.0, "十二月二十日"),
        ("[DBNum1][$-804]0.00", 1205.5, "一二〇五.五〇"),
        ("[DBNum1][$-804]General", 12_305.0, "一万二千三百〇五"),
        ("[DBNum1][$-804]General", 100_000_012.0, "一亿〇一十二"),
        ("[DBNum1][$-411]General", 20_012.0, "二万十二"),
        ("[DBNum1][$-404]General", 100_010_000.0, "一億〇一萬"),
        ("[DBNum1][$-804]General", -0.5, "-〇.五"),
        ("[DBNum1][$-804]", 3.0, "三"),
        # Programs elsewhere keep the digits, and the others scripts of digits are not written.
        ("[DBNum1]0", 12.0, "12"),
        ("[DBNum1][$-407]0", 12.0, "12"),
        ("[DBNum2][$-804]General", 1734.5, "壹仟柒佰叁拾肆.伍"),
        ("[DBNum2][$-804]General", 100208.0, "壹拾万零贰佰零捌"),
        ("[DBNum2][$-404]General", 25000.0, "貳萬伍仟"),
        ("[DBNum2][$-411]General", 12345.0, "壱萬弐阡参百四拾伍"),
        ("[DBNum2][$-804]0", 12.0, "壹贰"),
        ('[DBNum2][$-804]yyyy"年"m"月"d"日"', 46095.0, "贰零贰陆年叁月壹拾肆日"),
        ("b1yyyy-mm-dd", 46095.0, "2026-03-14"),
        ("[DBNum1][$-804]General", 1e18, "1E+18"),
    ],
)
def test_digits_of_china_and_japan(code: str, value: float, text: str) -> None:
    assert format_value(value, code) == (text, False)
