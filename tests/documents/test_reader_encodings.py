"""Texts that do not say how their letters are written."""

from pathlib import Path

import pytest

from reader.encodings import ENCODINGS, decode_text
from reader.kinds import detect_kind
from reader.office.csv_text import find_delimiter
from reader.pages import Limits
from reader.texts import TextSource
from tests.documents.laid_out import lay_out, list_rows

JAPANESE = "請求書番号,取引先,金額\nKP-88213,東京商事株式会社,12800\n"
CHINESE = "发票编号,客户名称,金额\nKP-88213,上海贸易有限公司,1280.50\n"
TRADITIONAL = "發票號碼,客戶名稱,金額\nKP-88213,台北貿易有限公司,1280\n"
KOREAN = "송장번호,회사명,금액\nKP-88213,서울상사 주식회사,128000\n"
RUSSIAN = "Номер счёта;Поставщик;Сумма\nKP-88213;ООО Ромашка;1 734,56\n"
POLISH = "Faktura;Kwota\nŁódź, zażółć gęślą;12,50\nŚrodki trwałe;3,00\n"
CZECH = "Číslo faktury;Částka\nPříliš žluťoučký kůň;12\n"
TURKISH = "Fatura No;Açıklama\nİstanbul Şişli ığdır;12\n"
GREEK = "Αριθμός τιμολογίου;Ποσό\nΕταιρεία Παπαδόπουλος;12\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "utf-16-le"),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-16-be"),
        (TRADITIONAL, "big5"),
        (KOREAN, "cp949"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
        (RUSSIAN, "iso8859-5"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (CZECH, "cp1250"),
        (TURKISH, "cp1254"),
        (GREEK, "cp1253"),
        ("id,name,amount\n1,广州电子厂,12800\n", "gb18030"),
        ("מספר;לקוח;רחוב;סכום\n1;מפעלי הצפון;הרצל 4;12,50\n", "cp1255"),
        ("Număr;Cumpărător;Oraş;Sumă\n", "cp1250"),
        ("id;name\n1;Yıldız İnşaat\n", "cp1254"),
        ("id;name\n1;Hôtel de la Forêt;Soci\u00e9té à Orl\u00e9ans\n", "cp850"),
        ("송장번호,회사명\nKP-88213,서울상사 주식회사\n", "utf-16-le"),
        ("お振込手数料は貴社にてご負担願います。\n", "utf-16-be"),
        ("ขอบคุณที่ใช้บริการ\n", "utf-16-le"),
    ],
)
def test_the_letters_tell_the_encoding_and_the_guess_is_named(text: str, encoding: str) -> None:
    decoded = decode_text(text.encode(encoding))
    assert decoded.text == text
    [gap] = decoded.list_gaps()
    assert gap.kind == "encoding" and gap.reason.startswith(f"Read as {ENCODINGS[decoded.encoding]}: nothing in")


@pytest.mark.parametrize(
    "text",
    [
        "Empfänger;Betrag (€)\nMüller GmbH für März;-1,0\n",
        "Þórður á Ísafirði greiðir",
        "Préfecture à côté de l’hôtel",
        "Señor Núñez, año",
        "21 °C",
    ],
)
def test_western_texts_are_no_guess(text: str) -> None:
    assert decode_text(text.encode("cp1252")) == (text, "cp1252", "")


def test_escapes_of_japanese_mail_are_no_guess() -> None:
    assert decode_text(JAPANESE.encode("iso2022_jp")) == (JAPANESE, "iso2022_jp", "")


@pytest.mark.parametrize("declared", ["us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "", "nonsense"])
def test_valid_utf_8_beats_what_programs_claim_without_looking(declared: str) -> None:
    assert decode_text("Prüfung 5 €".encode(), declared=declared) == ("Prüfung 5 €", "utf-8", "")


def test_iso_8859_1_is_read_as_browsers_read_it() -> None:
    assert decode_text("5 € „gut“".encode("cp1252"), declared="iso-8859-1") == ("5 € „gut“", "cp1252", "")


def test_a_declared_encoding_that_is_true_is_no_guess() -> None:
    assert decode_text(RUSSIAN.encode("koi8-r"), declared="koi8-r") == (RUSSIAN, "koi8-r", "")


def test_what_a_person_chose_is_no_guess() -> None:
    assert decode_text(RUSSIAN.encode("cp866"), chosen="cp866") == (RUSSIAN, "cp866", "")


def test_a_character_that_is_cut_at_the_end_costs_no_other() -> None:
    assert decode_text("Größe ü".encode()[:-1]) == ("Größe \ufffd", "utf-8", "")


def test_utf_16_without_a_mark_is_a_text() -> None:
    assert detect_kind(CHINESE.encode("utf-16-le")) == "txt"


def test_a_sheet_in_shift_jis_is_read_and_says_so() -> None:
    data = JAPANESE.encode("cp932")
    assert list_rows(data) == ["請求書番号 | 取引先 | 金額", "KP-88213 | 東京商事株式会社 | 12800"]
    [gap] = lay_out(data).gaps
    assert "Shift-JIS" in gap.reason


def test_a_bank_writes_lines_above_its_table_in_latin_9() -> None:
    text = '"Konto";"DE75"\r\n"Zeitraum";"März"\r\n\r\n"Tag";"Zweck";"Betrag (€)"\r\n"14.3.";"Miete";"-1.734,56"\r\n'
    rows = list_rows(text.encode("iso8859-15"))
    assert "Tag | Zweck | Betrag (€)" in rows and "14.3. | Miete | -1.734,56" in rows


def test_a_separator_in_the_first_line_is_followed_and_not_shown() -> None:
    assert list_rows(b"sep=|\r\na|b;c\r\n1|2;3\r\n") == ["a | b;c", "1 | 2;3"]


def test_a_protected_number_is_shown_without_its_protection() -> None:
    assert list_rows(b"id;plz\n'00123;=\"01067\"\n'x;1\n") == ["id | plz", "00123 | 01067", "'x | 1"]


def test_sentences_with_semicolons_and_commas_are_no_table() -> None:
    lines = [
        "Dear Ann, dear Bob, dear Cy,",
        "we came; we saw; we left.",
        "It rained, it snowed, it froze.",
        "Bye",
        "Ann",
    ]
    assert find_delimiter(lines) is None


def test_a_broken_byte_near_the_end_costs_no_letters_behind_it() -> None:
    decoded = decode_text("Größe ".encode() * 10 + b"\xffab")
    assert decoded == ("Größe " * 10 + "\ufffdab", "utf-8", "utf-8")


def test_a_text_is_not_kept_for_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("счёт".encode("cp1251"))
    texts = []
    for encoding in ("cp1251", "cp866"):
        with path.open("rb") as file:
            texts.append(TextSource(file, Limits(100, 1, 1, encoding)).pages)
    assert texts == [[["счёт"]], [["ёў╕Є"]]]


@pytest.mark.parametrize(
    ("data", "text", "guess"),
    [
        (b"\xef\xbb\xbf" + "Größe Straße".encode("cp1252"), "Größe Straße", "cp1252"),
        (b"\xff\xfe" + b"plain text here", "plain text here", "cp1252"),
        ("Größe 12".encode("utf-32"), "\ufeffGröße 12".lstrip("\ufeff"), ""),
        ("Größe\n".encode() * 3 + "Straße\n".encode("cp1252"), "Größe\n" * 3 + "Straße\n", "utf-8"),
        ("Größe für\n".encode("cp850") + b"\x1a", "Größe für\n", "cp850"),
    ],
)
def test_marks_that_lie_and_texts_of_two_programs_are_read(data: bytes, text: str, guess: str) -> None:
    decoded = decode_text(data)
    assert (decoded.text, decoded.guess) == (text, guess)
    assert detect_kind(data) == "txt"


def test_a_megabyte_in_one_line_is_guessed_by_its_beginning() -> None:
    assert decode_text(b"\xe4" * 1_000_000).text == "ä" * 1_000_000


def test_a_field_of_a_megabyte_is_shown_in_lines() -> None:
    assert not lay_out(b'a,b\n1,"' + b"x" * 200_000 + b'"\n2,3\n').gaps
