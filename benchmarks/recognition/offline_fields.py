"""How many fields the offline model finds: `python -m benchmarks.recognition.offline_fields [--data DIR]`.

Each file is read as the product reads it; the model is asked for exactly the fields of the ground truth, in one call
with a JSON Schema. Dates and amounts are compared as such, other texts by their letters and digits.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from benchmarks.recognition.reading import DEFAULT_DATA, truth_of
from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import find_blocks
from kit.errors import AppError
from offline_model import ChatRequest, answer
from offline_model.fields.values import parse_date, parse_number
from reader.pool.readers import ReaderPool, get_pool

FILES = ("gen_", "sroie_")


def schema_for(value: Any, name: str = "") -> dict[str, Any]:
    """The schema that a person would write for such a value."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: schema_for(inner, key) for key, inner in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": schema_for(value[0], name)}
    dated = {"format": "date"} if "date" in name else {}
    return {"type": "number"} if isinstance(value, (int, float)) else {"type": "string", **dated}


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, inner in pairs for k, v in leaves(inner, f"{path}.{key}".strip(".")).items()}
    return {path: value}


def same(value: Any, expected: Any) -> bool:
    number = parse_number(str(expected))
    if number is not None:
        return parse_number(str(value)) == number
    if parse_date(str(expected)):
        return parse_date(str(value)) == parse_date(str(expected))
    return letters(value) == letters(expected)


def letters(value: Any) -> str:
    return re.sub(r"[\W_]", "", str(value).lower())


def ask(text: str, pages: int, schema: dict[str, Any]) -> dict[str, Any]:
    block = f'<data kind="document" name="file" pages="{pages}">\n{text}\n</data>'
    form = {"type": "json_schema", "json_schema": {"name": "fields", "schema": schema}}
    reply = answer(ChatRequest([{"role": "user", "content": f"Extract.\n{block}"}], response_format=form))
    values: dict[str, Any] = json.loads(reply.text)
    return values


def text_of(file: Path, pool: ReaderPool) -> tuple[str, int]:
    count = pool.inspect(file).page_count
    pages = pool.read(file, range(1, count + 1))
    lines: list[str] = []
    for page in pages:
        marked = mark_lines(page.number, find_blocks(page.number, page.words))
        lines += [f'<page number="{page.number}">', *marked, "</page>"]
    return "\n".join(lines), count


def measure(file: Path, fields: dict[str, Any], pool: ReaderPool) -> tuple[list[str], list[str], list[str]]:
    text, pages = text_of(file, pool)
    got = {path: leaf for path, leaf in leaves(ask(text, pages, schema_for(fields))).items() if leaf not in ("", None)}
    expected = leaves(fields)
    right = [path for path in expected if path in got and same(got[path], expected[path])]
    wrong = [f"{path}={got[path]!r} not {expected[path]!r}" for path in expected if path in got and path not in right]
    wrong += [f"{path}={got[path]!r} is too much" for path in got if path not in expected]
    return right, wrong, [path for path in expected if path not in got]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    folder: Path = parser.parse_args().data
    files = folder / "files" if (folder / "files").is_dir() else folder
    pool, totals = get_pool(), [0, 0, 0]
    print(f"{'file':30} {'found':>6} {'wrong':>6} {'missing':>8}")
    for file in sorted(f for f in files.iterdir() if f.name.startswith(FILES)):
        fields = (truth_of(file, folder / "ground_truth") or {}).get("fields")
        if not fields:
            continue
        try:
            measured = measure(file, fields, pool)
        except AppError as refused:
            print(f"{file.name:30} {refused}")
            continue
        counts = [len(part) for part in measured]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        print(f"{file.name:30} {counts[0]:6} {counts[1]:6} {counts[2]:8}")
        for note in (*measured[1], *(f"{path} is missing" for path in measured[2])):
            print(f"    {note}")
    print(f"{'all':30} {totals[0]:6} {totals[1]:6} {totals[2]:8}")


if __name__ == "__main__":
    main()
