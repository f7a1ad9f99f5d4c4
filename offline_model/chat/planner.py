"""The planner: the request and the conversation so far → the next step. The conversation is its only state."""

import re

from offline_model.chat.conversation import Conversation
from offline_model.chat.prompt_and_run import plan_run
from offline_model.chat.questions import answer_question
from offline_model.chat.setup import CALLED, find_new_name, plan_setup
from offline_model.chat.steps import Step
from offline_model.chat.value_edits import find_edits, plan_edits
from offline_model.wording import ABILITIES, NOT_DONE, PLANNED

# Longer messages are no orders that rules can take up, and patterns would take their time with them.
MAX_CHARACTERS = 1500
POLITE = re.compile(
    r"^(?:(?:please|kindly|hi|hello|hey|ok|okay|now|then|yes|no)[,!. ]+|"
    r"(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |let'?s )+",
    re.IGNORECASE,
)
ABOUT_ITSELF = re.compile(r"^(help|hello|hi|what (can|do) you do|who are you|what are you)\b\W*", re.IGNORECASE)
ASKS = re.compile(r"^(what|which|who|whom|when|where|why|how|is|are|does|do|show|tell|list|give|summari[sz]e)\b", re.I)
SETS_UP = re.compile(
    r"\bset(ting)?[ -]?up\b|\bextract(ion)?\b.*\b(this|document|data|fields|values|it|everything|from)\b|^extract\b|"
    r"\b(create|design|make|build|propose|write|generate|prepare|draft|suggest|need|want)\b.*\b(schema|extraction)\b|"
    r"\bstudy this document\b|\bschema\b.*\bfor this\b",
    re.IGNORECASE,
)
BEYOND = re.compile(
    r"^(e-?mail|mail|send|forward|remind|notify|assign|delegate)\b|"
    r"^(set|add|create|make|schedule|give) .{0,40}\b(reminder|alarm|notification|assignment|task)\b",
    re.IGNORECASE,
)
RUNS = re.compile(r"^(re-?)?run\b|\b(re-?run|run) (the |this )?(extraction|prompt)\b|^extract again\b", re.IGNORECASE)


def asks_beyond(text: str) -> bool:
    """Whether somebody wants something sent, reminded of or assigned, also where it is asked as a question."""
    return bool(BEYOND.match(POLITE.sub("", text.strip()[:MAX_CHARACTERS]).strip()))


def choose_next_step(conversation: Conversation) -> Step:
    """In plan mode nothing has run yet, so no step tells of results."""
    step, calls = _choose_step(conversation), conversation.newest_calls
    if not calls or not calls[-1].is_planned:
        return step
    return Step("The next step of the plan.", step.call) if step.call else Step(PLANNED)


def _choose_step(conversation: Conversation) -> Step:
    text = conversation.request.strip()[:MAX_CHARACTERS]
    request = POLITE.sub("", text).strip()
    if not text or ABOUT_ITSELF.fullmatch(text):
        return Step(ABILITIES)
    if asks_beyond(text):
        return Step(NOT_DONE)
    if ASKS.match(request) and (request == text.strip() or not SETS_UP.search(request)):
        return answer_question(conversation)
    return _plan_work(conversation, request.rstrip("?! ")) or answer_question(conversation)


def _plan_work(conversation: Conversation, request: str) -> Step | None:
    """Plan what the request orders, the most definite form first."""
    if RUNS.search(request) and conversation.find_state_name("prompt"):
        return plan_run(conversation)
    if SETS_UP.search(request):
        return plan_setup(conversation, find_new_name(request, CALLED))
    # An explanation after a rejection goes on from the proposal that was rejected.
    name, proposals = find_new_name(request), [call for call in conversation.all_calls if call.name == "create_schema"]
    if name and not all(call.is_ok for call in proposals):
        return plan_setup(conversation, name)
    if edits := find_edits(request):
        return plan_edits(conversation, edits)
    return plan_run(conversation) if RUNS.search(request) else None
