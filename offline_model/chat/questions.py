"""Short answers to questions, each with the place that it was read from."""

from offline_model.chat.conversation import Conversation
from offline_model.chat.current_values import find_current_values, find_row, list_field_names, match_leaves
from offline_model.chat.steps import Step, use
from offline_model.chat.value_edits import quote_value
from offline_model.fields.labels import FoundValue
from offline_model.fields.search import find_field, make_field
from offline_model.fields.summary import summarize
from offline_model.fields.vocabulary import lookup_field
from offline_model.text import join_names, split_words, to_readable, to_snake_case
from offline_model.wording import LOST, NOTHING_TO_READ, ONE_AT_A_TIME, WHO
from printed.folding import fold_letters

LONGEST_NAME = 5
LONGEST_QUESTION = 300
NOT_NAMES = frozenset(
    split_words(
        "what which who when where how is are was the a an of in on this that there many much please does do show tell"
        " me give"
    )
)


def answer_question(conversation: Conversation) -> Step:
    values, request = find_current_values(conversation), conversation.request
    nothing = values is None and not conversation.layout.lines
    if nothing and conversation.is_about_many:
        return Step(ONE_AT_A_TIME)
    if nothing and "get_ocr_text" in conversation.tools and not conversation.list_calls("get_ocr_text"):
        return use("I read the text of the document first.", "get_ocr_text")
    spoken = set(split_words(request))
    if spoken & {"fields", "values", "extracted"} and values:
        return Step(f"The current extraction has {join_names(list_field_names(values))}.")
    if spoken & {"summary", "summarize", "summarise", "about", "document", "kind"} and not _names_field(spoken):
        return Step(f"{summarize(conversation.layout) or NOTHING_TO_READ} {WHO}")
    return Step(_answer_from_extraction(conversation) or _answer_from_document(conversation) or LOST)


def _names_field(spoken: set[str]) -> bool:
    return any(lookup_field(word) for word in spoken)


def _list_phrases(request: str) -> list[str]:
    """Every run of words that may be a field's name, the longest first."""
    spoken = split_words(find_row(request[:LONGEST_QUESTION])[0])
    runs = [
        " ".join(spoken[at : at + size])
        for size in range(LONGEST_NAME, 0, -1)
        for at in range(len(spoken) - size + 1)
        if not {spoken[at], spoken[at + size - 1]} & NOT_NAMES
    ]
    return [run for run in runs if len(run) > 1]


def _answer_from_extraction(conversation: Conversation) -> str:
    values = find_current_values(conversation) or {}
    _, row = find_row(conversation.request)
    for phrase in _list_phrases(conversation.request):
        hits = match_leaves(values, phrase if row is None else f"{phrase} of row {row + 1}")
        if row is None and not lookup_field(phrase):
            hits = [leaf for leaf in hits if to_snake_case(leaf.name) == to_snake_case(phrase)]
        if hits:
            sentences = [f"`{leaf.path}` is {quote_value(leaf.value)}" for leaf in hits[:8]]
            place = _answer_in_document(conversation, hits[0].name) if len(hits) == 1 else None
            return f"In the current extraction {join_names(sentences)}.{_describe_source(place, hits[0].value)}"
    return ""


def _answer_from_document(conversation: Conversation) -> str:
    for phrase in _list_phrases(conversation.request):
        if not lookup_field(phrase) and fold_letters(phrase) not in conversation.layout.folded:
            continue
        place = _answer_in_document(conversation, phrase)
        if place:
            return f"By its label, {phrase} is {quote_value(place.value)}.{_describe_source(place, place.value)}"
        if lookup_field(phrase):
            return f"I find no {phrase} in this document. {WHO}"
    return ""


def _answer_in_document(conversation: Conversation, name: str) -> FoundValue | None:
    return find_field(conversation.layout, make_field(to_readable(name), "text"))


def _describe_source(place_found: FoundValue | None, value: object) -> str:
    """Where the document says so, or that it says something else."""
    if not place_found:
        return ""
    place = f"line [{place_found.line.mark}]: “{place_found.line.text}”"
    same = to_snake_case(str(place_found.value)) == to_snake_case(str(value))
    return f" I read it in {place}." if same else f" The document reads otherwise to me in {place}."
