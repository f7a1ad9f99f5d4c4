"""How often the encoding of a text is told right: `python -m benchmarks.recognition.encodings`.

Texts of own making in 27 languages, as heads, rows and tables of CSV, lines and letters, in each encoding that their
language is written in, are decoded by the product and by charset-normalizer. Right is the same text, letter by letter.
The last line says how many are wrong without being named a guess.
"""

import json
import logging
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes

from reader.encodings import decode_text

TEXTS = Path(__file__).with_name("encoding_texts.json")
WIDE = ("utf-16-le", "utf-16-be")
EVERYWHERE = ("utf-8", *WIDE)


def list_texts(language: dict[str, list[str]], head: str) -> Iterator[tuple[str, str]]:
    rows, sentences = language["rows"], language["sentences"]
    separator = ";" if ";" in head else ","
    yield "head", f"{head}\n"
    yield "head and row", f"{head}\n{rows[0]}\n"
    yield from (("row", f"{separator.join(('id', 'name', 'street', 'amount'))}\n{row}\n") for row in rows)
    yield "table", "\n".join([head, *rows * 10])
    yield from (("line", f"{sentence}\n") for sentence in sentences)
    yield "letter", "\n".join(sentences)
    yield "long", "\n".join([*sentences, head, *rows] * 8)


def list_cases() -> Iterator[tuple[str, str, bytes, str]]:
    """Yields encoding, kind of text, bytes and text; ASCII alone is no case."""
    for language in json.loads(TEXTS.read_text()).values():
        for kind, text in list_texts(language, language["head"]):
            for encoding in (*language["encodings"], *EVERYWHERE):
                data = text.encode(encoding, "ignore")
                is_told = encoding in WIDE or not data.isascii() or b"\x1b" in data
                if is_told and data.decode(encoding) == text:
                    yield encoding, kind, data, text


def main() -> None:
    logging.disable()
    cases, ours, theirs = Counter[str](), Counter[str](), Counter[str]()
    seconds, silent = [0.0, 0.0], 0
    for encoding, kind, data, text in list_cases():
        began = time.process_time()
        decoded = decode_text(data)
        between = time.process_time()
        best = from_bytes(data).best()
        seconds = [seconds[0] + between - began, seconds[1] + time.process_time() - between]
        silent += decoded.text != text and not decoded.guess
        for name in (encoding, kind, "all"):
            cases[name] += 1
            ours[name] += decoded.text == text
            theirs[name] += best is not None and str(best) == text
    for name, count in cases.items():
        print(f"{name:14} {count:5} ours {ours[name] / count:6.1%}  charset-normalizer {theirs[name] / count:6.1%}")
    print(f"milliseconds a text: {seconds[0] / cases['all'] * 1000:.2f}, {seconds[1] / cases['all'] * 1000:.2f}")
    print(f"wrong of ours and not named a guess: {silent}")


if __name__ == "__main__":
    main()
