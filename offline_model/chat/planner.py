"""The planner: the request and the conversation so far → the next step. The conversation is its only state."""

import re

from offline_model.chat.amendment import plan_amendment
from offline_model.chat.conversation import Conversation
from offline_model.chat.plan_words import word_as_plan
from offline_model.chat.prompt_and_run import plan_run
from offline_model.chat.questions import answer_question
from offline_model.chat.schema_changes import Change, find_changes
from offline_model.chat.setup import plan_setup
from offline_model.chat.steps import Step, say
from offline_model.chat.value_edits import find_edits, plan_edits
from offline_model.wording import CAN, GREETING, LOST, THANKS, WHO

# Beyond this nothing is an order that rules could take up, and patterns would take their time.
MAX_CHARACTERS = 1500
POLITE = re.compile(
    r"^(?:(?:please|kindly|hi|hello|hey|ok|okay|now|then|yes|no)[,!. ]+|"
    r"(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |let'?s )+",
    re.IGNORECASE,
)
GREETS = re.compile(r"^(hi|hello|hey|good (morning|day|afternoon|evening)|hallo|bonjour)\W*$", re.IGNORECASE)
THANKFUL = re.compile(r"^(thanks?|thank you|merci|danke|great|ok|okay|fine|perfect)\b.{0,20}$", re.IGNORECASE)
ABOUT_ITSELF = re.compile(
    r"^(help|what (can|do) you do|who are you|what are you|how (do|can) (you|i)\b|what is this\b)", re.IGNORECASE
)
ASKS = re.compile(r"^(what|which|who|whom|when|where|why|how|is|are|does|do|show|tell|list|give|summari[sz]e)\b", re.I)
SETS_UP = re.compile(
    r"\bset(ting)?[ -]?up\b|\bextract(ion)?\b.*\b(this|document|data|fields|values|it|everything|from)\b|^extract\b|"
    r"\b(create|design|make|build|propose|write|generate|prepare|draft|suggest|need|want)\b.*\b(schema|extraction)\b|"
    r"\bstudy this document\b|\bschema\b.*\bfor this\b|\brichte\b|\bextrahier|\bextrai",
    re.IGNORECASE,
)
RUNS = re.compile(r"^(re-?)?run\b|\b(re-?run|run) (the |this )?(extraction|prompt)\b|^extract again\b", re.IGNORECASE)
PLANS = re.compile(r"^Mode: plan\b", re.MULTILINE)
WITH = re.compile(r"[,;]?\s+\b((?:with|without|but|and call|called|named)\b.*)$", re.IGNORECASE)


def choose_next_step(conversation: Conversation) -> Step:
    step = _choose_step(conversation)
    return word_as_plan(conversation, step) if PLANS.search(conversation.system) else step


def _choose_step(conversation: Conversation) -> Step:
    text = conversation.request.strip()[:MAX_CHARACTERS]
    if not text:
        return say(GREETING)
    request = POLITE.sub("", text).strip()
    is_question = text.endswith("?") and request == text
    talk = _answer_small_talk(text)
    if talk:
        return talk
    if ASKS.match(request) and (is_question or not SETS_UP.search(request)):
        return answer_question(conversation)
    return _plan_work(conversation, request.rstrip("?! ")) or (answer_question(conversation) if text else say(LOST))


def _answer_small_talk(text: str) -> Step | None:
    if GREETS.match(text):
        return say(GREETING)
    if THANKFUL.match(text):
        return say(THANKS)
    return say(f"{WHO} {CAN}") if ABOUT_ITSELF.match(text) else None


def _plan_work(conversation: Conversation, request: str) -> Step | None:
    """What the request orders, the most definite form first."""
    if SETS_UP.search(request) and not _has_prompt_to_run(conversation, request):
        return plan_setup(conversation, _answer_beside(request))
    changes = find_changes(request)
    edits = find_edits(request)
    if changes and not (edits and changes[0].verb == "call"):
        return _plan_change(conversation, changes)
    if edits:
        return plan_edits(conversation, edits)
    return plan_run(conversation) if RUNS.search(request) else None


def _has_prompt_to_run(conversation: Conversation, request: str) -> bool:
    return bool(RUNS.search(request) and conversation.find_state_id("prompt"))


def _answer_beside(request: str) -> list[Change]:
    """The changes after “with …” or “without …” in a request to set up."""
    match = WITH.search(request)
    if not match:
        return []
    changes = re.sub(r"^(?:but|and) ", "", match.group(1), flags=re.IGNORECASE)
    return find_changes(re.sub(r"^(?:called|named) ", "call it ", changes, flags=re.IGNORECASE))


def _plan_change(conversation: Conversation, changes: list[Change]) -> Step:
    """Amends the schema that was there before this request; without one, the design that is being talked about."""
    earlier = (call for turn in conversation.turns[:-1] for call in turn.calls)
    created = any(call.name == "create_schema" and call.is_ok for call in earlier)
    made_now = any(call.is_ok for call in conversation.list_calls("create_schema"))
    if created or (conversation.find_state_id("schema") and not made_now) or conversation.list_calls("get_schema"):
        return plan_amendment(conversation, changes)
    return plan_setup(conversation, changes)
