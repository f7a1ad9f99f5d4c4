"""Parts of nested files, and what they refer to: each once, the nearest first, nothing fetched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from documents.file_chunks.cutting import MAX_CHUNKS, cut_reading
from documents.file_chunks.expanding import Expansion, expand
from documents.file_chunks.naming import find_named, list_visible, name_chunk
from documents.file_chunks.omissions import list_cut_files, list_omissions
from documents.file_chunks.storing import store_chunks
from documents.index.words.indexing import index_document
from documents.models import Document, FileChunk
from reader.failures import Unreadable
from tests.documents.nested_files import add_file_reading, store_file

pytestmark = pytest.mark.django_db
API = (Path(__file__).parent.parent / "data/campaigns.yaml").read_bytes()
CREATE = "campaigns.yaml:POST /campaigns"
SWAGGER = {
    "swagger": "2.0",
    "paths": {
        "/a": {"get": {"summary": "Read a", "security": [{"key": []}], "schema": {"$ref": "#/definitions/A~1B"}}}
    },
    "definitions": {
        "A/B": {"type": "string"},
        "List": {"allOf": [{"$ref": "#/definitions/A~1B"}, {"$ref": "#/definitions/List"}]},
    },
    "securityDefinitions": {"key": {"type": "apiKey"}},
}
SCHEMA = {
    "$schema": "x",
    "title": "Order",
    "properties": {"a": {"$ref": "#/$defs/Line"}},
    "$defs": {"Line": {"type": "object"}},
}
UBL = '<Invoice xmlns="urn:x" xmlns:cac="u"><cac:Party><cac:Name>A</cac:Name></cac:Party><cac:Line><n>1</n></cac:Line><cac:Line/></Invoice>'


def store(actor: Actor, name: str, data: bytes) -> Document:
    document = store_file(actor.organization, name, data)
    index_document(document)
    return document


def list_parts(document: Document) -> list[tuple[str, str]]:
    return list(FileChunk.objects.filter(reading__document=document).values_list("kind", "name"))


def walk(actor: Actor, *names: str, depth: int = 3, chunks: int = 100, tokens: int = 100_000) -> Expansion:
    visible = Document.objects.for_org(actor.organization)
    found = find_named(visible, names)
    return expand(visible, list(found.values()), depth=depth, max_chunks=chunks, max_tokens=tokens)


def list_steps(expansion: Expansion) -> list[tuple[int, str]]:
    return [(each.depth, each.chunk.name) for each in expansion.chunks]


@pytest.mark.parametrize(
    ("name", "data", "parts"),
    [
        (
            "2.json",
            json.dumps(SWAGGER).encode(),
            [
                "section swagger",
                "operation GET /a",
                "schema definitions/A/B",
                "schema definitions/List",
                "security scheme securityDefinitions/key",
            ],
        ),
        ("schema.json", json.dumps(SCHEMA).encode(), ["schema #", "definition $defs/Line"]),
        (
            "ubl.xml",
            UBL.encode(),
            [
                "business group Invoice",
                "business group cac:Party",
                "business group cac:Line[1]",
                "business group cac:Line[2]",
            ],
        ),
        (
            "any.json",
            json.dumps({"a": {"b": "x"}, "big": {f"k{at}": {"v": "y" * 900} for at in range(6)}}).encode(),
            ["subtree a", "subtree big", *(f"subtree big/k{at}" for at in range(6))],
        ),
    ],
)
def test_each_kind_of_file_has_its_parts(actor: Actor, name: str, data: bytes, parts: list[str]) -> None:
    assert [" ".join(part) for part in list_parts(store(actor, name, data))] == parts


def test_a_part_keeps_its_words_and_its_place(actor: Actor) -> None:
    document = store(actor, "campaigns.yaml", API)
    parts = list_parts(document)
    assert ("security scheme", "securitySchemes/token") in parts and ("component", "/campaigns parameters") in parts
    [create] = find_named(Document.objects.for_org(actor.organization), [CREATE]).values()
    assert create.content.startswith("post:\n  operationId: createCampaign\n  summary: Create a campaign")
    assert (create.title, create.address) == ("Create a campaign · createCampaign", "/paths/~1campaigns/post")
    assert (create.first_page, create.first_line, create.last_line) == (1, 25, 48)


def test_references_are_followed_the_nearest_first_and_each_once(actor: Actor) -> None:
    store(actor, "campaigns.yaml", API)
    expansion = walk(actor, CREATE, depth=10)
    assert list_steps(expansion) == [
        (0, "POST /campaigns"),
        (1, "securitySchemes/token"),
        (1, "schemas/NewCampaign"),
        (1, "schemas/Campaign"),
        (1, "responses/Invalid"),
        (2, "schemas/Budget"),
        (2, "schemas/Currency"),
        (2, "schemas/Problem"),
    ]
    assert expansion.dangling == ["campaigns.yaml:schemas/Problem refers to #/components/schemas/Absent"]
    assert expansion.list_references(expansion.chunks[3].chunk) == ["campaigns.yaml:schemas/NewCampaign"]
    assert list_steps(walk(actor, CREATE, depth=0)) == [(0, "POST /campaigns")]
    assert walk(actor, CREATE, depth=0).frontier == []


def test_what_is_cut_off_is_named_and_the_next_call_goes_on(actor: Actor) -> None:
    store(actor, "campaigns.yaml", API)
    whole = {name for _, name in list_steps(walk(actor, CREATE, depth=10))}
    first = walk(actor, CREATE, depth=10, chunks=3)
    assert len(first.chunks) == 3 and first.frontier
    rest = walk(actor, *map(name_chunk, first.frontier), depth=10)
    assert {name for _, name in [*list_steps(first), *list_steps(rest)]} == whole
    short = walk(actor, CREATE, depth=10, tokens=1)
    assert len(short.chunks) == 1 and len(short.frontier) == 4


def test_another_file_is_followed_where_the_reader_sees_it_and_an_address_never(actor: Actor, stranger: Actor) -> None:
    asking = {
        "$schema": "x",
        "properties": {"a": {"$ref": "./shared.json#/$defs/A"}, "b": {"$ref": "https://x.test/s.json#/$defs/A"}},
        "c": {"$ref": "//x.test/s.json#/$defs/A"},
    }
    store(actor, "asking.json", json.dumps(asking).encode())
    shared = json.dumps({"$defs": {"A": {"type": "string"}}}).encode()
    store(stranger, "shared.json", shared)
    expansion = walk(actor, "asking.json:#")
    assert list_steps(expansion) == [(0, "#")] and len(expansion.dangling) == 3
    document = store(actor, "shared.json", shared)
    expansion = walk(actor, "asking.json:#")
    assert list_steps(expansion) == [(0, "#"), (1, "$defs/A")]
    assert expansion.dangling == [
        f"asking.json:# refers to {scheme}//x.test/s.json#/$defs/A" for scheme in ("https:", "")
    ]
    assert find_named(Document.objects.for_org(stranger.organization), ["asking.json:#"]) == {}
    # Others' files of that name do not hide ours, and a file of ours is not what an address of the web names.
    store(stranger, "shared.json", shared)
    store(actor, "s.json", shared)
    assert walk(actor, "asking.json:#").chunks[1].chunk.reading.document == document
    assert walk(actor, "asking.json:#").dangling == expansion.dangling
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now())
    assert len(walk(actor, "asking.json:#").dangling) == 3 and not walk(actor, "shared.json:$defs/A").chunks
    assert not list_visible(Document.objects.filter(pk=document.pk)).exists()
    index_document(document)
    assert not FileChunk.objects.filter(reading__document=document).exists()


def test_a_newer_reading_has_the_parts_alone(actor: Actor) -> None:
    document = store(actor, "campaigns.yaml", API)
    reading = add_file_reading(document, API)
    index_document(document)
    assert set(FileChunk.objects.filter(reading__document=document).values_list("reading", flat=True)) == {reading.pk}


def test_seventy_levels_are_had_whole_in_few_statements(actor: Actor) -> None:
    schemas: dict[str, Any] = {
        f"S{at}": {"type": "object", "properties": {"next": {"$ref": f"#/definitions/S{at + 1}"}}} for at in range(70)
    }
    schemas["S70"] = {"allOf": [{"$ref": "#/definitions/S0"}, {"$ref": "#/definitions/S70"}]}
    store(actor, "deep.json", json.dumps({"swagger": "2.0", "definitions": schemas}).encode())
    with CaptureQueriesContext(
        connection,
    ) as captured:
        expansion = walk(actor, "deep.json:definitions/S0", depth=100)
    assert list_steps(expansion) == [(at, f"definitions/S{at}") for at in range(71)] and len(captured) < 80


def test_a_part_with_thousands_of_references_and_a_file_with_thousands_of_parts_are_bounded(actor: Actor) -> None:
    names = [f"S{at}" for at in range(3000)]
    all_of = {"type": "object", "allOf": [{"$ref": f"#/definitions/{name}"} for name in names]}
    data = json.dumps(
        {"swagger": "2.0", "definitions": {"All": all_of, **{name: {"type": "string"} for name in names}}}
    ).encode()
    document = store(actor, "wide.json", data)
    assert FileChunk.objects.filter(reading__document=document).count() == 3002 < MAX_CHUNKS
    assert len(cut_reading(document.readings.get())) == 3002
    expansion = walk(actor, "wide.json:definitions/All")
    assert len(expansion.chunks) == 100 and len(expansion.frontier) == 200
    assert expansion.list_cuts() == ["201 more parts were cut off: they are among the ref_ids of those that are here."]
    assert list(list_omissions(expansion.chunks[0].chunk))[-1].startswith("2,500 more of its references")


def test_more_references_of_a_level_than_are_looked_for_are_counted_and_called_dangling_by_none(actor: Actor) -> None:
    alls = {f"All{part}": {"allOf": [{"$ref": f"#/definitions/{part}-{at}"} for at in range(500)]} for part in range(5)}
    names = {f"{part}-{at}": {"type": "string"} for part in range(5) for at in range(500)}
    store(actor, "many.json", json.dumps({"swagger": "2.0", "definitions": {**alls, **names}}).encode())
    expansion = walk(actor, *(f"many.json:definitions/{each}" for each in alls), chunks=5000)
    assert len(expansion.chunks) == 2005 and expansion.dangling == [] and expansion.frontier == []
    assert expansion.list_cuts() == ["500 references were not followed: the first 2,000 of one level are."]


def test_a_part_knows_which_lines_its_text_has_and_what_is_left_out(actor: Actor) -> None:
    lines = {f"k{at}": "y" * 80 for at in range(900)}
    around = {"$schema": "x", "a": 1, "$defs": {"Long": lines, "B": {"type": "string"}}, "z": 2}
    document = store(actor, "long.json", json.dumps(around).encode())
    first, long, short = FileChunk.objects.filter(reading__document=document)
    # Definitions stand within the lines of the whole, which does not have theirs.
    assert first.content.startswith("$schema: x\na: 1") and first.content.endswith("z: 2")
    assert short.spans[0][:2] not in [span[:2] for span in first.spans] and len(first.spans) == 2
    kept = long.content.count("\n") + 1
    assert 0 < kept < 900 and sum(last - start + 1 for _, start, last in long.spans) == kept
    assert long.letters_left == sum(len(f"  k{at}: ") + 80 for at in range(kept - 1, 900))
    [sentence] = list_omissions(long)
    page, _, line = long.spans[-1]
    assert f"Its last {long.letters_left:,} characters are left out" in sentence
    assert sentence.endswith(f"after page {page}, line {line}.") and list(list_omissions(first)) == []


def test_a_file_of_more_parts_than_are_kept_is_named(actor: Actor, stranger: Actor) -> None:
    document, visible = store(actor, "campaigns.yaml", API), Document.objects.for_org(actor.organization)
    assert list_cut_files(visible) == []
    reading = document.readings.get()
    store_chunks(document, reading, cut_reading(reading, max_chunks=15))
    assert list_cut_files(visible) == []
    store_chunks(document, reading, cut_reading(reading, max_chunks=14))
    [sentence] = list_cut_files(visible)
    assert sentence.startswith("campaigns.yaml has more than the 50,000 parts") and "search its pages" in sentence
    assert list_cut_files(Document.objects.for_org(stranger.organization)) == []


def list_hostile_files() -> dict[str, tuple[bytes, str, list[tuple[int, str]]]]:
    """By what is wrong with each: the file, the part that is asked for, and the steps from it."""
    laughs = "\n".join(f"  l{at}: &l{at} [{', '.join([f'*l{at - 1}'] * 9)}]" for at in range(1, 30))
    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 30))
    odd = {"Ä/ß~ 1": {"type": "string"}, "50%": {"type": "string"}, "a%2Fb": {"type": "string"}}
    asked = [{"$ref": f"#/definitions/{each}"} for each in ("%C3%84~1%C3%9F~0%201", "50%25", "a%252Fb", "50%")]
    away = [
        {"$ref": each} for each in ("file:///etc/passwd#/a", "../../x.json#/a", "//h.test/a#/b", "urn:x:y", "#/%", "")
    ]
    swagger = {"swagger": "2.0", "definitions": {"All": {"allOf": asked}, "Away": {"allOf": away}, **odd}}
    names = ["definitions/Ä/ß~ 1", "definitions/50%", "definitions/a%2Fb"]
    twice = b'{"swagger": "2.0", "definitions": {"A": {"$ref": "#/definitions/B"}, "B": {"x": 1}, "A": {"y": 2}}}'
    return {
        "aliases.yaml": (f"$schema: x\na:\n  l0: &l0 [lol]\n{laughs}\n".encode(), "#", [(0, "#")]),
        "cycle.yaml": (b"$schema: x\na: &a\n  - *a\n  - $ref: '#'\n", "#", [(0, "#")]),
        "entities.xml": (
            f'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY e0 "lol">{entities}]><Invoice><a>&e29;</a></Invoice>'.encode(),
            "Invoice",
            [],
        ),
        "odd.json": (
            json.dumps(swagger).encode(),
            "definitions/All",
            [(0, "definitions/All"), *((1, name) for name in names)],
        ),
        "away.json": (json.dumps(swagger).encode(), "definitions/Away", [(0, "definitions/Away")]),
        "twice.json": (twice, "definitions/A", [(0, "definitions/A"), (1, "definitions/B")]),
    }


@pytest.mark.parametrize("name", list_hostile_files())
def test_a_hostile_file_is_cut_and_followed_without_growing(actor: Actor, name: str) -> None:
    data, part, steps = list_hostile_files()[name]
    try:
        document = store(actor, name, data)
    except Unreadable:
        assert steps == []
        return
    assert sum(len(each.content) for each in FileChunk.objects.filter(reading__document=document)) < 3 * len(data)
    assert list_steps(walk(actor, f"{name}:{part}", depth=100)) == steps
