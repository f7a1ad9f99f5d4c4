"""How SQLite's FTS5 keeps organizations apart: `python -m benchmarks.growth.search_layouts [--pages 100000]`.

Of all pages one organization has a hundredth. Compared are a token of the organization among the words of each page, a
table for each organization, and the organization's number inside each word.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from statistics import median

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from benchmarks.growth.search_corpus import EVERYWHERE, Corpus, make_number
from documents.index.words.terms import split_terms

ORGANIZATIONS = 100
MOST = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    pages = parser.parse_args().pages
    corpus = Corpus(1)
    rows = [
        (at % ORGANIZATIONS, [term for word in words for term in split_terms(word)])
        for at, words in enumerate(corpus.iterate_pages(pages))
    ]
    rare = " ".join(split_terms(make_number(ORGANIZATIONS * 3)))
    print(f"{pages:,} pages of {ORGANIZATIONS} organizations; CPU ms of a search in one of them, and index")
    print(f"{'':14} {'rare':>8} {'everywhere':>11} {'build s':>8} {'MB':>6}")
    for name, layout in LAYOUTS.items():
        database = sqlite3.connect(":memory:")
        began = time.process_time()
        ask = layout(database, rows)
        built = time.process_time() - began
        times = [measure(database, *ask(terms)) for terms in (rare, EVERYWHERE)]
        size = database.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
        print(f"{name:14} {times[0]:8.2f} {times[1]:11.2f} {built:8.1f} {size / 1e6:6.0f}")


def measure(database: sqlite3.Connection, table: str, match: str) -> float:
    sql = f"SELECT rowid, bm25({table}) FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT {MOST}"
    times = []
    for _ in range(7):
        began = time.process_time()
        assert database.execute(sql, [match]).fetchall()
        times.append((time.process_time() - began) * 1000)
    return median(times)


def build_token(database: sqlite3.Connection, rows: list[tuple[int, list[str]]]):
    make_table(database, "pages")
    database.executemany("INSERT INTO pages VALUES (?)", ((f"org_{owner} {' '.join(terms)}",) for owner, terms in rows))
    return lambda terms: ("pages", f'"org_0" AND "{terms}"')


def build_tables(database: sqlite3.Connection, rows: list[tuple[int, list[str]]]):
    for owner in range(ORGANIZATIONS):
        make_table(database, f"pages_{owner}")
    for owner, terms in rows:
        database.execute(f"INSERT INTO pages_{owner} VALUES (?)", (" ".join(terms),))
    return lambda terms: ("pages_0", f'"{terms}"')


def build_inside(database: sqlite3.Connection, rows: list[tuple[int, list[str]]]):
    make_table(database, "pages")
    texts = (" ".join(f"{owner:x}_{term}" for term in terms) for owner, terms in rows)
    database.executemany("INSERT INTO pages VALUES (?)", ((text,) for text in texts))
    return lambda terms: ("pages", '"' + " ".join(f"0_{term}" for term in terms.split()) + '"')


def make_table(database: sqlite3.Connection, name: str) -> None:
    database.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(terms, tokenize='ascii tokenchars _')")


LAYOUTS = {"token": build_token, "tables": build_tables, "inside words": build_inside}

if __name__ == "__main__":
    main()
