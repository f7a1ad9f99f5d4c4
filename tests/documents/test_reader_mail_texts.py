"""The forms of a mail's text: what is shown, and what only another form says."""

from email.message import EmailMessage

from reader.bundles.plain_texts import ONLY_PLAIN, ShownWords
from reader.layout.blocks import Cell, Note, Paragraph, PlainLine, Table
from tests.documents.laid_out import list_rows

APPLE = """From: a@b.c
MIME-Version: 1.0
Message-ID: <1>
Content-Type: multipart/alternative; boundary=A

--A
Content-Type: text/plain

Before the file. After the file.
--A
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: text/html

<p>Before the file.</p>
--B
Content-Type: application/pdf
Content-Disposition: inline; filename=a.pdf

x
--B
Content-Type: text/html

<p>After the file.</p>
--B--
--A--
"""


def make_mail(plain: str, page: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "a@b.c", "<1@b.c>"
    mail.set_content(plain)
    mail.add_alternative(page, subtype="html")
    return mail.as_bytes()


def list_others(plain: str, page: str = "", *shown: Paragraph | Table) -> list[str]:
    words = ShownWords()
    list(words.collect(shown, page))
    return [block.text for block in words.list_others(plain) if isinstance(block, PlainLine | Note)]


def test_what_only_the_plain_text_of_a_mail_says_is_kept_behind_its_page() -> None:
    plain = "Please pay 12.50\n\nto DE89 3704 0044\n"
    assert list_rows(make_mail(plain, "<h1>Please pay</h1><p>12.50</p>"))[1:] == [
        "From: a@b.c",
        "Please pay",
        "12.50",
        "to DE89 3704 0044",
    ]
    assert list_rows(make_mail("Please pay 12.50", "<img src='http://b.c/a.png'>"))[2:] == ["Please pay 12.50"]


def test_a_form_of_several_parts_is_shown_whole() -> None:
    assert list_rows(APPLE.encode())[2:4] == ["Before the file.", "After the file."]


def test_the_same_in_other_words_of_programs_is_not_shown_twice() -> None:
    shown = Paragraph("Read our Terms"), Table([[Cell("Total"), Cell("12.50")]])
    page = "<a href='https://b.c/t?a=1&amp;b=2'>Terms</a>"
    same = "1. READ our *terms* <https://b.c/t?a=1&b=2>\n[image: logo] | total | 12.50 |\n----\n\n"
    assert list_others(same, page, *shown) == []
    assert list_others("Terms https://elsewhere.d", page, *shown) == [ONLY_PLAIN, "Terms https://elsewhere.d"]
    assert list_others("Total 99.50", page, *shown) == [ONLY_PLAIN, "Total 99.50"]


def test_where_a_page_says_nothing_the_plain_text_stands_in_its_place() -> None:
    assert list_others("Total 12.50\n\nregards") == ["Total 12.50", "regards"]
