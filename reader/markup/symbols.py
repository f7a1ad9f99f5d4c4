"""Signs of the fonts Symbol and Wingdings, which office files write with numbers of no character."""

SIGNS = {
    0xF02D: "\u2013",
    0xF06E: "\u25a0",
    0xF06F: "\u25a1",
    0xF071: "\u2751",
    0xF076: "\u2756",
    0xF095: "\u2022",
    0xF0A7: "\u25aa",
    0xF0A8: "\u25a1",
    0xF0B7: "\u2022",
    0xF0D8: "\u27a2",
    0xF0E0: "\u2192",
    0xF0FB: "\u2718",
    0xF0FC: "\u2714",
    0xF0FD: "\u2612",
    0xF0FE: "\u2611",
}


def replace_symbols(text: str) -> str:
    return text.translate(SIGNS)


def decode_symbol(digits: str) -> str:
    """Decode a character's number in hexadecimal; empty for what is none."""
    try:
        number = int(digits, 16)
    except ValueError:
        return ""
    return SIGNS.get(number | 0xF000, "") if number < 0x10000 else ""
