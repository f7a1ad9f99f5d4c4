"""The way of a question over documents that no model steers: search, order, read, answer, each a call like any other.

It is taken where the model fails or is too small for the organization; and its last step, an answer from what was read,
is how a turn ends whose rounds, time or money do.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from django.db.models import F, Q, Value

from agent.citations.aliases import ALIAS
from agent.conversation import threads
from agent.models import ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.offered_tools import list_added
from agent.policy.turn_time import is_question, is_research, read_request
from agent.toolkit.pages_read import PAGE_TOOLS, SURVEY
from agent.toolkit.previews import format_count
from agent.toolkit.tool_kinds import READS
from documents.models import Document
from kit.json_types import JsonObject
from kit.rows.models import fold_case
from llm import models_catalogue
from llm.client import ModelAnswer, WireCall
from llm.client.providers import get_provider_name
from offline_model import asks_beyond
from printed.stopwords import STOPWORDS

MODEL = "fixed way"
_NAMED_LINE = re.compile(rf"\[(?P<name>{ALIAS.pattern})\] ?(?P<text>.*)")
_NAMED_QUOTE = re.compile(rf"“.*” \[{ALIAS.pattern}\]")
_OURS = re.compile(r"</?(?:data|page|cut)\b")
MAX_READ, MAX_FOUND = 5, 10
MAX_UNREAD = 50
_MARKS = re.compile(r"[\[\]<>*`\\]|(?<=\d):(?=\d)")
# What would end a quotation, or be Markdown.
_QUOTED_MARKS, MAX_QUOTED = re.compile(r"[“”„\"«»*`\[\]<>\\]"), 390
# Of what was only found: part of how well the best of it fits.
MIN_RELEVANCE = 0.5
MAX_SHOWN, MAX_LINES, MAX_LETTERS = 8, 3, 400
_WORD = re.compile(r"[^\W\d_]{3,}")
# A file's name without its ending, as questions write it.
_FILE_NAME = re.compile(r"\w+[-_]\w[\w-]*")
TOO_SMALL = "{model} reads {limit:,} tokens at once; this organization asks for at least {minimum:,}."
OFFLINE = "The built-in offline model chooses none."
TAKEN = "*Search, order, read, answer: these fixed steps were taken, since the model could not choose its own. {why}*"
STOPPED = "*This answer stops early. {why} It rests on what had been read until then.*"
AGAIN = "Asked the same again, only these are read and paid."
NOTHING = "Nothing that answers it had been found."
READING = (*PAGE_TOOLS, SURVEY, "search_documents")


def may_close(turn: Turn) -> bool:
    """Whether it has read something and changes nothing, so that what it knows is an answer. At its limits any other
    turn waits for a person, who may let it go on.
    """
    if not is_research(turn) or next(_list_parts(turn), None) is None:
        return False
    return not turn.calls.exclude(access__in=READS).exclude(tool=SURVEY).exists()


def explain_need(turn: Turn) -> str:
    """Why its model does not choose its own steps; empty where it may."""
    if turn.fixed_because or not is_question(turn):
        return turn.fixed_because
    if get_provider_name(turn.model) == "offline":
        return "" if asks_beyond(read_request(turn)) else OFFLINE
    minimum = agent_settings.get_joined_settings(turn.thread.organization).research_min_tokens
    limit = models_catalogue.find_abilities(turn.model).input_limit if minimum else None
    if limit is None or limit >= minimum:
        return ""
    return TOO_SMALL.format(model=turn.model, limit=limit, minimum=minimum)


def add_coverage(turn: Turn, answer: ModelAnswer) -> ModelAnswer:
    """With how many documents were read of those that were all asked, where any were: wherever the answer goes."""
    coverage = _describe_coverage(turn)
    return replace(answer, text=f"{answer.text.rstrip()}\n\n{coverage}") if coverage else answer


def _describe_coverage(turn: Turn) -> str:
    if not is_research(turn) and SURVEY not in list_added(turn.thread):
        return ""
    calls = [call for call in _list_calls(turn) if call.tool == SURVEY and "coverage" in (call.result or {})]
    if not calls:
        return ""
    result = calls[-1].result or {}
    counts, parts, unread = result["coverage"], result.get("in_part", []), result["not_read"]
    sentences = [_count_read(counts)]
    if parts:
        sentences.append(f"Read in part: {_join_named(parts, 'read')}.")
    if unread:
        sentences += [f"Not read: {_join_named(unread, 'why')}.", AGAIN]
    return " ".join(sentences)


def _count_read(counts: Mapping[str, int]) -> str:
    documents, in_part = format_count(counts["documents"], "document"), counts.get("in_part", 0)
    if in_part:
        return f"{counts['read']:,} of {documents} were read to the end, {in_part:,} in part."
    return f"{counts['read']:,} of {documents} were read." if counts["not_read"] else f"All {documents} were read."


def _join_named(rows: Sequence[JsonObject], reason: str) -> str:
    more = f"; and {len(rows) - MAX_UNREAD:,} more" if len(rows) > MAX_UNREAD else ""
    return f"{'; '.join(_name_documents(rows[:MAX_UNREAD], reason))}{more}"


def _name_documents(rows: Sequence[JsonObject], reason: str) -> Iterator[str]:
    """For each reason the names. A name is the words of a document: nothing in it may read like a mark of ours."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        name = _MARKS.sub(" ", str(row["document_name"] or row["document_id"]))
        names[str(row[reason]).rstrip(".")].append(f"“{' '.join(name.split())}”")
    for why, several in names.items():
        yield f"{', '.join(several)} ({_MARKS.sub(' ', why)})"


def choose_step(turn: Turn, why: str) -> ModelAnswer:
    """The next call of the way, or the answer."""
    calls = {call.tool: call for call in _list_calls(turn)}
    if SURVEY in calls:
        return write_answer(turn, TAKEN.format(why=why))
    named = [] if "search_documents" in calls else _find_named(turn)
    if named and "read_multiple_documents" not in calls:
        return _request("read_multiple_documents", document_ids=named, focus_query=read_request(turn)[:500])
    if "search_documents" not in calls and "read_multiple_documents" not in calls:
        return _request("search_documents", query=read_request(turn)[:500], max_results=MAX_FOUND, queries=[])
    ids = _list_ids(calls["search_documents"].result, "results") if "search_documents" in calls else []
    if ids and "rerank_documents" not in calls:
        return _request("rerank_documents", document_ids=ids, query=read_request(turn)[:500])
    # One that has gone since leaves the order in which they were found.
    ids = _list_ids(calls["rerank_documents"].result, "documents") or ids if ids else []
    if ids and "read_multiple_documents" not in calls:
        question = read_request(turn)[:500]
        return _request("read_multiple_documents", document_ids=ids[:MAX_READ], focus_query=question)
    return write_answer(turn, TAKEN.format(why=why))


def write_answer(turn: Turn, note: str) -> ModelAnswer:
    """What was read in the turn, in its own words, with where it stands."""
    parts = list(_list_parts(turn, chooses_words=_asks_for_words(turn)))[:MAX_SHOWN]
    blocks = [f"### {part.name}\n\n{part.text}" for part in parts] or [NOTHING]
    return _answer("\n\n".join([note, *blocks]))


@dataclass(frozen=True)
class _PagePart:
    name: str
    text: str


def _list_calls(turn: Turn) -> list[ToolCall]:
    calls = turn.calls.filter(status__in=ToolCall.TERMINAL, message__dropped_at=None)
    return list(calls.order_by("round", "position", "version"))


def _asks_for_words(turn: Turn) -> bool:
    """Whether a line without a word of the question is no answer: of documents that it names any line may be."""
    return turn.thread.document_id is None and not _find_named(turn)


def _list_parts(turn: Turn, *, chooses_words: bool = False) -> Iterator[_PagePart]:
    """What was read before what was only found; of each document once, and of none that went to the trash since.

    `chooses_words`: of printed lines only those with a word of the question.
    """
    calls = [call for call in _list_calls(turn) if call.status == ToolCall.Status.SUCCEEDED and call.tool in READING]
    rows = [row for call in sorted(calls, key=_is_search) for row in _list_rows(call.result or {})]
    keys = [str(row.get("document_id") or turn.thread.document_id or "") for row in rows]
    words = _split_words(read_request(turn))
    left = set(Document.objects.for_org(turn.thread.organization).filter(pk__in=keys).values_list("pk", flat=True))
    for key, row in zip(keys, rows, strict=True):
        if key in left and (text := _read_text(row, words, chooses_words=chooses_words)):
            left.remove(key)
            yield _PagePart(str(row.get("document_name") or row.get("filename") or ""), text)


def _is_search(call: ToolCall) -> bool:
    return call.tool == "search_documents"


def _list_rows(result: JsonObject) -> Sequence[JsonObject]:
    relevant = [row for row in result.get("results", ()) if row.get("relevance_score", 1) >= MIN_RELEVANCE]
    return result.get("documents") or relevant or [result]


def _find_named(turn: Turn) -> list[str]:
    """Documents that the question names, with or without the ending of the file: nothing else is asked about."""
    if threads.get_scope(turn.thread):
        return []
    question = fold_case(read_request(turn))
    stems = [f"{word}." for word in _FILE_NAME.findall(question)]
    here = Document.objects.for_org(turn.thread.organization).filter(trashed_at=None).alias(question=Value(question))
    is_named = Q(question__contains=F("name_folded"), name_folded__contains=".")
    for stem in stems[:MAX_READ]:
        is_named |= Q(name_folded__startswith=stem)
    return list(here.filter(is_named).order_by("-created_at").values_list("pk", flat=True)[:MAX_READ])


def _split_words(text: str) -> set[str]:
    return set(_WORD.findall(fold_case(text))) - STOPWORDS


def _list_passages(row: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    passages = row.get("passages")
    return passages if isinstance(passages, list) and passages else [row]


def _read_text(row: Mapping[str, object], words: set[str], *, chooses_words: bool) -> str:
    """Lines of its text or of its best passage that have the words, else the first, each with its block id. Those that
    have most of the words come first."""
    first = _list_passages(row)[0]
    texts = [str(each.get("text") or each.get("snippet") or "") for each in _list_passages(row)]
    lines = [line for text in texts for line in _list_lines(text)]
    having = sorted((line for line in lines if words & _split_words(line)), key=lambda line: -_count_words(line, words))
    if not having and chooses_words and any(_NAMED_QUOTE.fullmatch(line) for line in lines):
        return ""
    lines = (having or lines)[:MAX_LINES]
    lengths = accumulate(map(len, lines))
    shown = [line for line, length in zip(lines, lengths, strict=True) if length <= MAX_LETTERS]
    text = "\n".join(f"- {line}" for line in shown) or _shorten(" ".join(lines))
    return f"{text} [{first['cite']}]" if first.get("cite") and not ALIAS.search(text) else text


def _count_words(line: str, words: set[str]) -> int:
    return len(words & _split_words(line))


def _list_lines(block: str) -> list[str]:
    """Of a data block, without our marks; of printed lines those with a block id, without the headings of others.

    They are quoted: a full stop inside of a line ends no sentence, and each is compared with its own words.
    """
    lines = [line.strip() for line in block.splitlines() if line.strip() and not _OURS.match(line)]
    named = [(match["text"], match["name"]) for line in lines if (match := _NAMED_LINE.fullmatch(line))]
    quoted = [(" ".join(_QUOTED_MARKS.sub(" ", text).split())[:MAX_QUOTED], name) for text, name in named]
    return [f"“{text}” [{name}]" for text, name in quoted if text] or lines


def _shorten(text: str) -> str:
    """Ends with a word: half a block id is that of another line."""
    return text[:MAX_LETTERS].rpartition(" ")[0]


def _list_ids(result: JsonObject | None, name: str) -> list[str]:
    return [row["document_id"] for row in (result or {}).get(name, [])]


def _request(tool: str, **arguments: object) -> ModelAnswer:
    return _answer("", WireCall("", tool, json.dumps(arguments, ensure_ascii=False)))


def _answer(text: str, *calls: WireCall) -> ModelAnswer:
    return ModelAnswer(text, "", list(calls), "stop", 0, 0, 0, MODEL)
