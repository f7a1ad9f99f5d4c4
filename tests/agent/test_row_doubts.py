"""Whether a change is of the rows that a message names: cases of the small function."""

from __future__ import annotations

from typing import Any

import pytest

from agent.references.row_doubts import list_row_doubts
from documents.values import add_row_ids
from documents.values.changes import make_change

CITIES = ["Wien", "Graz", "Linz", "Bozen", "Celje", "Ljubljana", "Maribor", "Wels", "Steyr", "Enns", "Krems", "Melk"]
ASSETS = [{"no": f"A{100 + at:04}", "site": city, "price": 10 + at} for at, city in enumerate(CITIES)]
STORED = add_row_ids(
    {
        "assets": ASSETS,
        "lines": [{"no": at, "price": 50 + at} for at in range(1, 9)],
        "parts": [{"no": "INV-2026-0007", "n": 1}, {"no": "INV-2026-0008", "n": 2}, {"no": "CR-2026-0008", "n": 3}],
        "plain": [{"price": 1}, {"price": 1}, {"price": 2}],
        "vendor": "x",
    }
)


def doubt(message: str, *changes: tuple[str, Any]) -> list[str]:
    return list_row_doubts(message, STORED, [(path, make_change(STORED, path, value)) for path, value in changes])


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("Set the site of A0105 to Rijeka", [("assets.5.site", "Rijeka")]),
        ("set a0105 to Rijeka, please", [("assets.5.site", "Rijeka")]),
        ("Set the site of A-105 to Rijeka", [("assets.5.site", "Rijeka")]),
        ("asset 105 is in Rijeka", [("assets.5.site", "Rijeka")]),
        ("A0105's site should be Wien", [("assets.5.site", "Wien")]),
        ("A0105 and A0107 are in Rijeka", [("assets.5.site", "Rijeka"), ("assets.7.site", "Rijeka")]),
        ("A0105 – A0107: Rijeka", [(f"assets.{at}.site", "Rijeka") for at in (5, 6, 7)]),
        ("from A0105 to A0107 all are in Rijeka", [("assets.6.site", "Rijeka")]),
        ("Zeilen A0105 bis A0107: Rijeka", [("assets.6.site", "Rijeka")]),
        ("A0105: Rijeka, A0106: Zadar", [("assets.5.site", "Rijeka"), ("assets.6.site", "Zadar")]),
        ("A0105: Rijeka, A0106: Zadar", [("assets.6.site", "Zadar")]),
        ("Rijeka for A0105, Zadar for A0106", [("assets.6.site", "Zadar")]),
        ("A0105 and A0106 to Rijeka, A0107 to Zadar", [("assets.6.site", "Rijeka"), ("assets.7.site", "Zadar")]),
        ("Rename A0105 to B17", [("assets.5.no", "B17")]),
        ("The one in Linz is in Rijeka now", [("assets.2.site", "Rijeka")]),
        ("Correct the price of line 3 to 5", [("lines.2.price", 5)]),
        ("set line 5 to 5", [("lines.4.price", 5)]),
        ("change 3 from 53 to 7", [("lines.2.price", 7)]),
        ("lines 3, 4 and 5 cost 9", [("lines.2.price", 9), ("lines.3.price", 9), ("lines.4.price", 9)]),
        ("Zeile 3 kostet 9,50", [("lines.2.price", 9.5)]),
        ("On 3 May 2026 and on page 4 it cost 9 €", [("lines.1.price", 9)]),
        ("the third row costs 9", [("plain.2.price", 9)]),
        ("the last line is 9", [("plain.2.price", 9)]),
        ("row 3 is 9", [("plain.2.price", 9)]),
        ("Rechnung INV-2026-0008 hat 5", [("parts.1.n", 5)]),
        ("The vendor is A0105", [("vendor", "A0105")]),
        ("The prices are wrong, look at the page", [("assets.5.price", 9)]),
        ("This is not right: A0105 is in Rijeka", [("assets.5.site", "Rijeka")]),
        ("add a row A0200", [("assets.12", {"no": "A0200", "site": "x", "price": 1})]),
    ],
)
def test_rows_that_a_message_names_are_changed_without_a_word(message: str, changes: list[tuple[str, Any]]) -> None:
    assert doubt(message, *changes) == []


@pytest.mark.parametrize(
    ("message", "changes", "sentence"),
    [
        ("Set the site of A0105 to Rijeka", [("assets.6.site", "Rijeka")], "Your message names A0105, not A0106."),
        ("a-105 is in Rijeka", [("assets.4.site", "Rijeka")], "Your message names a-105, not A0104."),
        ("asset no. 105 is in Rijeka", [("assets.4.site", "Rijeka")], "Your message names 105, not A0104."),
        ("A0105 is in Rijeka", [("assets.5.site", "Rijeka"), ("assets.6.site", "Rijeka")], "not A0106."),
        ("A0105, A0107: Rijeka", [("assets.6.site", "Rijeka")], "Your message names A0105, A0107, not A0106."),
        ("A0105 – A0107: Rijeka", [("assets.8.site", "Rijeka")], "Your message names A0105 to A0107, not A0108."),
        ("A9105 is in Rijeka", [("assets.5.site", "Rijeka")], "Your message names A9105, not A0105."),
        ("The one in Linz is in Rijeka", [("assets.3.site", "Rijeka")], "Your message names Linz, not A0103."),
        ("A0105 moved to Wien", [("assets.6.site", "Wien")], "Your message names A0105, not A0106."),
        ("Set the row after A0105 to Rijeka", [("assets.6.site", "Rijeka")], "This changes A0106."),
        ("Set the row after A0105 to Rijeka", [("assets.5.site", "Rijeka")], "says “after A0105”"),
        ("die Zeile unter A0105: Rijeka", [("assets.6.site", "Rijeka")], "says “unter A0105”"),
        ("all sites but not A0105 are Rijeka", [("assets.5.site", "Rijeka")], "says “not A0105”"),
        ("A0106, not A0105, is in Rijeka", [("assets.5.site", "Rijeka")], "says “not A0105”"),
        ("A0105: Rijeka, A0106: Zadar", [("assets.6.site", "Rijeka")], "“Rijeka” beside A0105, not beside A0106."),
        ("Rijeka for A0105, Zadar for A0106", [("assets.5.site", "Zadar")], "“Zadar” beside A0106, not beside A0105."),
        (
            "A0104: 5\nA0105: 6\nA0106: 7",
            [("assets.4.price", 5), ("assets.5.price", 7)],
            "“7” beside A0106, not beside A0105.",
        ),
        ("Correct the price of line 3 to 5", [("lines.4.price", 5)], "Your message names 3, not 5."),
        ("change 3 from 5 to 7", [("lines.4.price", 7)], "may mean 3, 5; this changes 5."),
        ("lines 3 and 4 cost 9", [("lines.4.price", 9)], "Your message names 3, 4, not 5."),
        ("the third row costs 9", [("plain.1.price", 9)], "Your message names third row, not row 2."),
        ("the last line is 9", [("plain.1.price", 9)], "not row 2."),
        ("line 3 is 9", [("plain.1.price", 9)], "Your message names 3, not row 2."),
        ("no. 8 has 5", [("parts.1.n", 5)], "may mean INV-2026-0008, CR-2026-0008; this changes INV-2026-0008."),
        ("INV-2026-0007 has 5", [("parts.1.n", 5)], "Your message names INV-2026-0007, not INV-2026-0008."),
        ("INV-2027-0007 has 5", [("parts.0.n", 5)], "Your message names INV-2027-0007, not INV-2026-0007."),
    ],
)
def test_a_change_of_another_row_is_doubted(message: str, changes: list[tuple[str, Any]], sentence: str) -> None:
    assert sentence in " ".join(doubt(message, *changes))
