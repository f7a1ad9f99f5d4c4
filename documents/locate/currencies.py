"""Currency codes and how they are printed. A symbol may stand for several currencies; a code for one."""

from __future__ import annotations

SYMBOLS = {
    "EUR": ("€",),
    "GBP": ("£",),
    "USD": ("$", "US$"),
    "CAD": ("$", "C$", "CA$"),
    "AUD": ("$", "A$", "AU$"),
    "NZD": ("$", "NZ$"),
    "SGD": ("$", "S$"),
    "HKD": ("$", "HK$"),
    "MXN": ("$", "MX$"),
    "BRL": ("R$",),
    "JPY": ("¥", "円"),
    "CNY": ("¥", "元", "RMB"),
    "INR": ("₹", "Rs", "Rs."),
    "MYR": ("RM",),
    "CHF": ("Fr.", "SFr."),
    "CZK": ("Kč",),
    "PLN": ("zł",),
    "SEK": ("kr",),
    "NOK": ("kr",),
    "DKK": ("kr",),
    "HUF": ("Ft",),
    "TRY": ("₺",),
    "ILS": ("₪",),
    "KRW": ("₩",),
    "RUB": ("₽",),
    "UAH": ("₴",),
    "ZAR": ("R",),
    "THB": ("฿",),
    "IDR": ("Rp",),
    "VND": ("₫",),
    "AED": ("AED",),
}

CODES = frozenset(SYMBOLS)

# Single letters are left out: in front of a number they are part of an article code as often as a currency.
MARKS = sorted(
    {mark for code, marks in SYMBOLS.items() for mark in (code, *marks) if len(mark) > 1 or not mark.isalpha()},
    key=len,
    reverse=True,
)


def list_marks(code: str) -> tuple[str, ...]:
    """How this currency may be printed, its code first."""
    return (code, *SYMBOLS.get(code, ()))


def is_shared(mark: str) -> bool:
    return sum(mark in marks for marks in SYMBOLS.values()) > 1


def may_be_same(one: str, other: str) -> bool:
    """True when some currency is printed both ways."""
    return any({one, other} <= {code, *marks} for code, marks in SYMBOLS.items())
