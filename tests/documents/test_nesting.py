"""Indentation of files in which it means something: in text, exports, searches and citations."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.citations.evidence import find_quotation
from documents.find.search import find_pages
from documents.index.words.indexing import index_document
from documents.models import Page, Reading
from documents.reading.blocks import parse_block_id
from documents.reading.nesting.outline import MAX_NODES, is_nested, list_nodes
from documents.reading.page_text import mark_pages
from reader.pages import Limits
from reader.texts import TextSource
from reader.words import join_text, unpack
from tests.conftest import ApiClient
from tests.documents.laid_out import list_words
from tests.documents.nested_files import API, add_file_reading, nest, store_file

TABLE = b'{"a": {"rows": [{"x": 1, "y": "b c"}, {"y": 2}], "note": "one\\ntwo", "none": {}}}'
LETTER = b"Items:\n    - a\n        - b\n\n\tc  d\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (f"---\n{API}".encode(), f"---\n{API}"),
        (TABLE, "a:\n  rows:\n    x y\n    1 b c\n    2\n  note: one\n    two\n  none:"),
        (b'<?xml version="1.0"?><I><l n="7"><p>1</p></l><l>x</l></I>', "I:\n  l:\n    @n: 7\n    p: 1\n  l: x"),
        (b'<?xml version="1.0"?>\n<x>\n  <y>broken', '<?xml version="1.0"?>\n<x>\n  <y>broken'),
        (b"<html><pre>def f():\n    return 1</pre>", "def f():\n    return 1"),
    ],
)
def test_text_is_as_far_in_as_in_its_file(data: bytes, text: str) -> None:
    assert join_text(list_words(data)) == text.rstrip("\n")


def test_plain_text_keeps_what_stands_before_its_lines() -> None:
    with TemporaryFile() as file:
        file.write(LETTER)
        file.seek(0)
        words = TextSource(file, Limits(10_000, 5, 1_000)).read(1, "auto").words
    assert join_text(words) == "Items:\n    - a\n        - b\n        c d"


def test_seventy_levels_are_seventy_steps_on_the_page_too() -> None:
    words = list_words(nest(70))
    assert [word.indent for word in words] == [*range(0, 140, 2), 0]
    lefts = [word.x0 for word in words[:-1]]
    assert all(before < after for before, after in itertools.pairwise(lefts)) and max(word.x1 for word in words) <= 1


def test_each_line_of_yaml_that_names_or_goes_on_with_a_value_has_its_pointer() -> None:
    words = list_words(f"---\n{API}".encode())
    places = {word.text: word.address for word in words}
    assert (places["paths:"], places["post:"]) == ("/paths", "/paths/~1campaigns/post")
    assert places["trace"] == "/paths/~1campaigns/post/parameters/0/name"
    assert places["nothing."] == "/paths/~1campaigns/post/description"


@pytest.mark.django_db
def test_programs_get_nesting_and_places(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    document = store_file(actor.organization, "api.yaml", f"---\n{API}".encode())
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/ocr/download"
    assert client.get(f"{path}/text/{document.pk}").text == f"---\n{API}".rstrip("\n")

    def list_places() -> dict[tuple[str, str], str | None]:
        blocks = client.get(f"{path}/blocks/{document.pk}").json()
        return {(block["BlockType"], block.get("Text")): block.get("Address") for block in blocks}

    places = list_places()
    assert places["LINE", "post:"] == "/paths/~1campaigns/post" and places["LINE", "---"] is None
    add_file_reading(document, TABLE)
    places = list_places()
    assert (places["LINE", "1 b c"], places["WORD", "c"]) == ("/a/rows/0", "/a/rows/0/y")
    assert (places["LINE", "two"], places["WORD", "two"]) == ("/a/note", None)


@pytest.mark.django_db
def test_models_read_nesting_and_where_a_page_begins(actor: Actor) -> None:
    rows = "".join(f"        - name: p{at}\n          in: query\n" for at in range(60))
    document = store_file(
        actor.organization, "api.yaml", f"---\n{API.replace('      description', rows + '      description')}".encode()
    )
    reading = document.readings.get()
    lines = mark_pages(reading).text.split("\n")
    assert "[1.5]     post:" in lines
    [begins] = [line for line in lines if "begins inside" in line]
    assert begins.startswith("(This page begins inside of /paths/~1campaigns/post/parameters")
    assert "[1.5]     post: \u27e8/paths/~1campaigns/post\u27e9" in mark_pages(reading, with_addresses=True).text
    assert "[1.2] openapi: 3.0.0" in mark_pages(add_file_reading(document, f"---\n{API}".encode())).text


@pytest.mark.django_db
def test_what_is_found_and_cited_stands_in_its_nesting(actor: Actor) -> None:
    document = store_file(actor.organization, "api.yaml", f"---\n{API}".encode())
    reading = document.readings.get()
    index_document(document)
    [hit] = find_pages(actor, "createCampaign").hits
    snippet = hit.pages[0].snippet
    assert "\n    post:\n      operationId: createCampaign\n      parameters:" in snippet.text
    [(start, stop)] = snippet.marks
    assert snippet.text[start:stop] == "createCampaign" and (6, "      operationId: createCampaign") in snippet.lines
    block = parse_block_id(hit.pages[0].citation)
    assert find_quotation(reading, block, "operationId: createCampaign parameters:", [7, 8]) is not None


@pytest.mark.django_db
def test_a_reading_of_before_stays_as_it_is(actor: Actor) -> None:
    document = store_file(actor.organization, "api.yaml", f"---\n{API}".encode())
    page = Page.objects.get(reading__document=document)
    flat = [word._replace(indent=0) for word in unpack(bytes(page.words))]
    assert [word.text for word in flat] == [word.text for word in unpack(bytes(page.words))]
    assert "post:" in join_text(flat).split("\n")


def list_tree(reading: Reading, *inside: str) -> list[tuple[str, str, int]]:
    """The nodes inside of the last of these, each found by its text inside of the one before."""
    part = list_nodes(reading)
    for text in inside:
        part = list_nodes(reading, next(node.place for node in part.nodes if node.text == text))
    return [(node.text, node.address, node.lines) for node in part.nodes]


@pytest.mark.django_db
def test_the_lines_of_a_file_are_a_tree(actor: Actor) -> None:
    reading = store_file(actor.organization, "api.yaml", f"---\n{API}".encode()).readings.get()
    around = "/paths/~1campaigns/post"
    assert is_nested(reading)
    assert list_tree(reading) == [("---", "", 0), ("openapi: 3.0.0", "/openapi", 0), ("paths:", "/paths", 9)]
    assert list_tree(reading, "paths:", "/campaigns:", "post:")[1:] == [
        ("parameters:", f"{around}/parameters", 2),
        ("description: |", f"{around}/description", 2),
    ]
    flat = b"---\nlist:\n- a: 1\n  b: 2\n- c\nlast: " + b"word " * 60
    reading = store_file(actor.organization, "flat.yaml", flat).readings.get()
    assert list_tree(reading, "list:") == [("- a: 1", "/list/0/a", 1), ("- c", "/list/1", 0)]
    assert [text[:5] for text, _, _ in list_tree(reading)] == ["---", "list:", "last:"]
    assert not is_nested(store_file(actor.organization, "a.html", b"<html><pre>a\n  b</pre>").readings.get())


@pytest.mark.django_db
def test_many_lines_side_by_side_are_given_some_at_a_time(
    signed_in: Any, client: Client, actor: Actor, stranger: Actor
) -> None:
    data = json.dumps({"all": {f"k{at}": at for at in range(MAX_NODES + 30)}}).encode()
    document = store_file(actor.organization, "many.json", data)
    page = signed_in(client, actor)
    address = reverse("document-structure", args=[actor.organization.pk, document.pk])
    wanted = {"reading": document.readings.get().pk, "inside": "1.1", "level": "2"}
    first = page.get(address, wanted).text
    assert first.count('aria-level="2"') == MAX_NODES + 1 and 'data-address="/all/k7"' in first
    [following] = re.findall(r'data-first="([0-9.]+)"', first)
    rest = page.get(address, {**wanted, "first": following}).text
    assert 'data-address="/all/k200"' in rest and "data-first" not in rest and rest.count("aria-level") == 30
    assert page.get(address, {**wanted, "inside": "1.9999"}).status_code == 404
    other = store_file(stranger.organization, "theirs.json", data)
    assert page.get(address, {**wanted, "reading": other.readings.get().pk}).status_code == 404
