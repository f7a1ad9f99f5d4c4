"""Parts of files as the agent finds and follows them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.citations.aliases import ThreadAliases, has_shown_all
from agent.models import Thread, ToolCall
from documents.file_chunks.cutting import cut_reading
from documents.file_chunks.storing import store_chunks
from documents.index.words.indexing import index_document
from documents.models import Document, FileChunk
from tests.agent.conftest import propose_all
from tests.documents.nested_files import store_file

Do = Callable[..., ToolCall]
API = (Path(__file__).parents[2] / "data/campaigns.yaml").read_bytes()
CREATE = "campaigns.yaml:POST /campaigns"


@pytest.fixture
def api(actor: Actor) -> None:
    index_document(store_file(actor.organization, "campaigns.yaml", API))


@pytest.mark.parametrize("query", ["create a campaign", "createCampaign", "How do I create campaigns?"])
def test_the_operation_that_was_asked_for_comes_first(api: None, do: Do, query: str) -> None:
    result = do("search_chunks", query=query, include_references=True).result
    first = result["chunks"][0]
    assert first["chunk_id"] == CREATE and "campaigns.yaml:schemas/NewCampaign" in first["ref_ids"]
    assert (first["chunk_type"], first["title"]) == ("operation", "Create a campaign \u00b7 createCampaign")
    assert "operationId: createCampaign" in first["content_preview"] and 'kind="chunk"' in first["content_preview"]
    assert result["total_found"] >= len(result["chunks"]) and "context" not in result


def test_a_filter_that_fits_no_file_lists_the_files_there_are(api: None, do: Do) -> None:
    result = do("search_chunks", query="campaign", file_filter="orders").result
    assert result["chunks"] == [] and result["context"] == [{"file_name": "campaigns.yaml", "parts": 15}]
    assert do("search_chunks", query="campaign", file_filter="CAMP").result["chunks"]


def test_parts_come_with_what_they_refer_to_and_their_lines_may_be_cited(api: None, do: Do, thread: Thread) -> None:
    result = do("get_chunks", chunk_ids=[CREATE, "campaigns.yaml:nothing"], expand_depth=1).result
    assert result["expansion_stats"] == {"0": 1, "1": 4} and result["unknown"] == ["campaigns.yaml:nothing"]
    first = result["expanded_chunks"][0]
    assert (first["source"], first["cite"], first["metadata"]["address"]) == (
        "requested",
        "D1:1.25",
        "/paths/~1campaigns/post",
    )
    assert ThreadAliases(thread).find("D1:1.26") is not None and ThreadAliases(thread).find("D1:1.2") is None
    again = do("get_chunks", chunk_ids=["D1:1.26"], expand_depth=0).result
    assert [each["chunk_id"] for each in again["expanded_chunks"]] == [CREATE] and not again["truncated"]
    cut = do("get_chunks", chunk_ids=[CREATE], expand_depth=10, max_total_chunks=2).result
    assert cut["truncated"] and cut["frontier"][0] == "campaigns.yaml:schemas/NewCampaign"
    assert do("get_chunks", chunk_ids=[CREATE], expand_depth=11).status == "failed"


def test_a_part_that_is_cut_says_so_and_only_its_printed_lines_are_read(actor: Actor, do: Do, thread: Thread) -> None:
    lines = {f"k{at}": "y" * 80 for at in range(900)}
    data = json.dumps({"$schema": "x", "$defs": {"Long": lines, "B": {"type": "string"}}, "z": 2}).encode()
    document = store_file(actor.organization, "long.json", data)
    index_document(document)
    result = do("get_chunks", chunk_ids=["long.json:#", "long.json:$defs/Long"]).result
    whole = result["expanded_chunks"][0]
    assert "left_out" not in whole and whole["cite"] == "D1:1.1" and result["frontier"] == ["long.json:$defs/Long"]
    aliases, reading = ThreadAliases(thread), document.readings.get()
    # The definitions stand between its first line and its last.
    assert aliases.find("D1:1.1") is not None and aliases.find("D1:1.4") is None
    [long] = do("get_chunks", chunk_ids=["long.json:$defs/Long"]).result["expanded_chunks"]
    assert long["left_out"][0].startswith("Its last ")
    read = [span for spans in thread.reading_aliases.get().lines.values() for span in spans]
    printed = [each.content.count("\n") + 1 for each in FileChunk.objects.exclude(name="$defs/B")]
    assert sum(last - first + 1 for first, last in read) == sum(printed) and not has_shown_all(thread, reading)


def test_a_file_whose_parts_are_not_all_kept_is_named_in_answers(api: None, actor: Actor, do: Do) -> None:
    assert "cut_files" not in do("get_chunks", chunk_ids=["campaigns.yaml:nothing"]).result
    document = Document.objects.get(name="campaigns.yaml")
    store_chunks(document, document.readings.get(), cut_reading(document.readings.get(), max_chunks=14))
    other = store_file(actor.organization, "other.json", b'{"$schema": "x", "a": {"b": 1}}')
    index_document(other)
    answers = [
        do("search_chunks", query="campaign"),
        do("get_chunks", chunk_ids=["campaigns.yaml:nothing"]),
        do("get_chunks", chunk_ids=[CREATE]),
    ]
    for answer in answers:
        assert answer.result["cut_files"][0].startswith("campaigns.yaml has more than the 50,000 parts")
    for silent in (
        do("get_chunks", chunk_ids=["other.json:#"]),
        do("search_chunks", query="campaign", file_filter="other"),
    ):
        assert "cut_files" not in silent.result


def test_parts_of_others_and_of_documents_that_were_not_chosen_are_unknown(
    api: None, actor: Actor, stranger: Actor, do: Do, thread: Thread
) -> None:
    index_document(store_file(stranger.organization, "theirs.yaml", API))
    theirs = do("get_chunks", chunk_ids=["theirs.yaml:POST /campaigns"]).result
    assert theirs["unknown"] == ["theirs.yaml:POST /campaigns"] and theirs["total_chunks"] == 0
    assert {each["file_name"] for each in do("search_chunks", query="campaign").result["chunks"]} == {"campaigns.yaml"}
    [call] = propose_all(thread, ("get_chunks", {"chunk_ids": [CREATE]}), scope={"document_ids": [thread.document_id]})
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.result["unknown"] == [CREATE]
