"""Standing wishes: in whose words they enter, what the list takes, and that the model reads them in every round."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from agent import wishes
from agent.calls import execution, undo
from agent.conversation import threads, wish_list
from agent.conversation.model_input import wishes_block
from agent.conversation.model_input.context import build_messages, tokens_in
from agent.models import Decision, Event, StandingWish, Thread, ToolCall, Turn
from agent.turns import turns
from kit.errors import Conflict, Denied, Invalid, NotFound
from tests.agent.conftest import propose_all, work_until_idle
from tests.agent.context_rows import BUDGET, WORDY, Talk, _say, talk, turn  # noqa: F401 - talk, turn are fixtures
from tests.agent.decision_rows import say
from tests.conftest import ApiClient
from tests.page_client import PageClient
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db
RULE = "Every vendor's name begins with QX."


@pytest.fixture
def spoken(thread: Thread, turn: Turn) -> Thread:
    """Somebody said the rule, among other things, and the agent something else."""
    _say(turn, "user", "Set it up.\nEvery  vendor's name\nbegins with QX. Thanks.")
    _say(turn, "assistant", "Every total is a lie.")
    Turn.objects.update(status="completed")
    return thread


def texts(thread: Thread) -> list[str]:
    return [wish.text for wish in wishes.list_wishes(thread)]


def ask_for(thread: Thread, quote: str) -> ToolCall:
    (call,) = propose_all(thread, ("remember_wish", {"quote": quote}))
    return call


def run(call: ToolCall) -> ToolCall:
    execution.execute(call.pk, holder="test")
    return ToolCall.objects.get(pk=call.pk)


def test_the_owner_adds_changes_and_removes_them(spoken: Thread, actor: Actor) -> None:
    wish = wish_list.add(actor, thread=spoken, text=f"  {RULE} ", message_number=1)
    assert texts(spoken) == [RULE] and wish.message is not None and wish.message.number == 1
    wish_list.change(actor, wish=wish, text="Names begin with QY.")
    wish_list.add(actor, thread=spoken, text="Dates as 24.11.2026")
    wish_list.remove(actor, wish=wish)
    assert texts(spoken) == ["Dates as 24.11.2026"]
    assert (wish_list.clear(actor, thread=spoken), wish_list.clear(actor, thread=spoken)) == (1, 0)
    done = list(
        AuditEntry.objects.filter(action__contains="standing wish").order_by("created_at").values("action", "detail")
    )
    assert [each["action"].split()[0] for each in done] == ["added", "changed", "added", "removed", "cleared"]
    assert "QX" not in str(done)
    assert Event.objects.filter(kind="wishes.changed").count() == 5


def test_nobody_else_does(spoken: Thread, actor: Actor, member: Callable[[Role], Actor]) -> None:
    other = member(Role.ADMIN)
    wish = wish_list.add(actor, thread=spoken, text=RULE)
    for act in (
        lambda: wish_list.add(other, thread=spoken, text="x"),
        lambda: wish_list.change(other, wish=wish, text="x"),
        lambda: wish_list.remove(other, wish=wish),
        lambda: wish_list.clear(other, thread=spoken),
    ):
        with pytest.raises(Denied, match="This thread is"):
            act()
    assert texts(spoken) == [RULE]


@pytest.mark.parametrize(
    ("there", "text", "sentence"),
    [
        ([], " \n ", "The wish is empty."),
        ([], "x" * 1001, r"The wish has 1,001 characters; 1,000 is the most"),
        (["Names in capitals"], "NAMES in capitals ", "on the list already"),
        ([f"Wish {n}" for n in range(20)], "One more", "The list has 20 wishes, which is the most"),
        ([f"{n}{'x' * 999}" for n in range(6)], "y", "would have 6,001 characters; 6,000 is the most"),
    ],
)
def test_it_says_what_the_list_does_not_take(
    spoken: Thread, actor: Actor, there: list[str], text: str, sentence: str
) -> None:
    StandingWish.objects.bulk_create(StandingWish(thread=spoken, text=each) for each in there)
    with pytest.raises(Invalid, match=sentence):
        wish_list.add(actor, thread=spoken, text=text)
    assert sorted(texts(spoken)) == sorted(there)


def test_a_wish_that_somebody_took_off_meanwhile_is_not_found(spoken: Thread, actor: Actor) -> None:
    wish = wish_list.add(actor, thread=spoken, text=RULE)
    wish_list.remove(actor, wish=wishes.fetch_wish(spoken, wish.pk))
    for act in (lambda: wish_list.change(actor, wish=wish, text="x"), lambda: wish_list.remove(actor, wish=wish)):
        with pytest.raises(NotFound, match="Standing wish"):
            act()
    assert AuditEntry.objects.filter(action="removed a standing wish").count() == 1


def test_a_wish_names_a_message_of_a_person_only(spoken: Thread, actor: Actor) -> None:
    for number in (2, 9):
        with pytest.raises(NotFound, match=f"no message {number} of a person"):
            wish_list.add(actor, thread=spoken, text=RULE, message_number=number)


def test_the_agent_quotes_a_person_on_a_card_and_undo_takes_it_back(spoken: Thread, actor: Actor) -> None:
    call = ask_for(spoken, RULE)
    assert call.status == "pending" and "Every  vendor's name\nbegins with QX." in call.preview["rows"][0].values()
    assert texts(spoken) == []
    say(actor, call)
    call = run(call)
    assert (call.status, texts(spoken)) == ("succeeded", ["Every  vendor's name\nbegins with QX."])
    undo.undo_call(actor, call=call, idempotency_key="k")
    assert texts(spoken) == []


def test_what_a_person_has_changed_since_is_not_taken_back(spoken: Thread, actor: Actor) -> None:
    call = ask_for(spoken, RULE)
    say(actor, call)
    call = run(call)
    wish_list.change(actor, wish=wishes.fetch_wish(spoken, call.result["wish_id"]), text="Names begin with QY.")
    with pytest.raises(Conflict, match="changed since"):
        undo.undo_call(actor, call=call, idempotency_key="k")
    assert texts(spoken) == ["Names begin with QY."]


@pytest.mark.parametrize(
    "quote", ["Every total is a lie.", "Every customer's name begins with QX.", "vendor's name begins with Q", " "]
)
def test_words_that_no_person_said_are_refused(spoken: Thread, quote: str) -> None:
    call = ask_for(spoken, quote)
    assert call.status == "invalid" and "quote" in str(call.result).lower() and texts(spoken) == []


def test_a_reason_for_a_rejection_is_a_persons_word_too(spoken: Thread, actor: Actor) -> None:
    (call,) = propose_all(spoken, ("note", {"text": "x"}))
    say(actor, call, "rejected", reason="Not now. Ask before  each note!")
    Turn.objects.update(status="completed")
    asked = ask_for(spoken, "Ask before each note!")
    assert asked.status == "pending"
    assert [row["value"] for row in asked.preview["rows"]] == [
        "Ask before  each note!",
        f"{actor.user.shown_name}, when rejecting note",
    ]
    say(actor, asked)
    assert run(asked).status == "succeeded" and texts(spoken) == ["Ask before  each note!"]


def test_no_other_reason_is_a_persons_word(spoken: Thread, actor: Actor) -> None:
    (call,) = propose_all(spoken, ("note", {"text": "x"}))
    say(actor, call, "rejected", reason="Tag all.")
    assert wishes.find_quote(spoken, "Tag all.").author == actor.user
    decisions = Decision.objects.filter(call=call)
    for change in ({"user": None}, {"kind": "approved"}):
        decisions.update(**change)
        with pytest.raises(Invalid, match="No message of the person"):
            wishes.find_quote(spoken, "Tag all.")
        decisions.update(user=actor.user, kind="rejected")
    spoken.messages.update(dropped_at="2026-01-01T00:00Z")
    with pytest.raises(Invalid, match="No message of the person"):
        wishes.find_quote(spoken, "Tag all.")


@pytest.mark.parametrize(
    ("message", "quote", "is_whole"),
    [
        ("Please do not approve every tag you propose.", "approve every tag you propose.", False),
        ("Please do not approve every tag you propose.", "Please do not approve every tag", False),
        ("Never do this: approve every tag.", "approve every tag.", False),
        ("Hello! Dates as 24.11.2026. Thanks", "Dates as 24.11.2026.", True),
        ("Rules:\n- Dates as 24.11.2026\n2. Names in capitals", "Dates as 24.11.2026", True),
        ("Rules:\n- Dates as 24.11.2026\n2. Names in capitals", "Names in capitals", True),
    ],
)
def test_a_quote_is_whole_sentences_or_lines(spoken: Thread, message: str, quote: str, is_whole: bool) -> None:
    spoken.messages.filter(role="user").update(
        blocks=[{"type": "text", "text": message}], text_folded=message.casefold()
    )
    assert ask_for(spoken, quote).status == ("pending" if is_whole else "invalid")


@pytest.mark.parametrize("mode", ["ask", "auto"])
def test_a_person_sees_each_wish_before_it_counts(spoken: Thread, mode: str) -> None:
    Thread.objects.update(mode=mode)
    spoken.refresh_from_db()
    assert ask_for(spoken, RULE).status == "pending" and texts(spoken) == []


def test_the_task_of_a_headless_turn_and_dropped_messages_are_nobodys_words(spoken: Thread, actor: Actor) -> None:
    Turn.objects.update(origin="headless")
    assert ask_for(spoken, RULE).status == "invalid"
    Turn.objects.update(origin="chat", status="completed")
    spoken.messages.update(dropped_at="2026-01-01T00:00Z")
    assert ask_for(spoken, RULE).status == "invalid"


def test_an_approved_card_that_finds_the_list_full_says_so(spoken: Thread, actor: Actor) -> None:
    call = ask_for(spoken, RULE)
    StandingWish.objects.bulk_create(StandingWish(thread=spoken, text=f"Wish {n}") for n in range(20))
    say(actor, call)
    call = run(call)
    assert call.status == "failed" and "The list has 20 wishes" in str(call.result)


def test_a_rule_of_a_long_first_message_stands_in_the_input_of_turn_sixty(
    thread: Thread, turn: Turn, talk: Talk, actor: Actor
) -> None:
    rule = "The most important rule: every vendor begins with QX."
    first = _say(turn, "user", f"{'Our suppliers change their names, and merge. ' * 15}\n{rule}")
    assert len(first.join_text()) > 720
    wish_list.add(actor, thread=thread, text=rule, message_number=first.number)
    talk(60, answer=WORDY)
    messages = build_messages(turn, budget=6000)
    assert tokens_in(messages) <= 6000
    wished = [each for each in messages if str(each["content"]).startswith(wishes_block.HEADING)]
    assert [each["role"] for each in wished] == ["user"] and f"1. {rule}" in str(wished[0]["content"])
    after = messages[messages.index(wished[0]) + 1]
    assert after["role"] == "user" and str(after["content"]).startswith("Request")


@pytest.mark.django_db(transaction=True)
def test_the_model_reads_them_in_the_very_next_round(
    thread: Thread, actor: Actor, scripted_model: ScriptedModel, loaded_litellm: None
) -> None:
    turns.start(actor, thread=thread, text=RULE)
    scripted_model.will(calls(("remember_wish", {"quote": RULE})), says("Kept."))
    work_until_idle()
    say(actor, thread.calls.get())
    work_until_idle()
    first, second = (str(request["messages"]) for request in scripted_model.requests)
    assert wishes_block.HEADING not in first and f"{wishes_block.HEADING}\\n1. {RULE}" in second


def test_a_page_keeps_a_message_and_shows_the_list_to_all_who_read_it(
    spoken: Thread, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    organization = actor.organization.pk
    client, other = PageClient(), PageClient()
    client.force_login(actor.user)
    other.force_login(member(Role.REVIEWER).user)
    add = reverse("wish-add", args=(organization, spoken.pk))
    assert client.post(add, {"text": RULE, "message": "1"}).status_code == 204
    assert client.post(add, {"text": RULE, "message": "x"}).status_code == 400
    items = reverse("thread-items", args=(organization, spoken.pk))
    own, theirs = (each.get(items).content.decode() for each in (client, other))
    assert all("Every vendor" in html and "message 1" in html for html in (own, theirs))
    assert "wish-remove" in own or "data-wish-remove" in own
    assert "data-wish-remove" not in theirs and "data-keep-wish" in own and "data-keep-wish" not in theirs


def test_a_viewer_keeps_a_list_in_a_thread_of_their_own_over_the_api(
    member: Callable[[Role], Actor], api_as: Callable[[Actor], ApiClient]
) -> None:
    viewer = member(Role.VIEWER)
    api = api_as(viewer)
    base = f"/v0/orgs/{viewer.organization.pk}/chat/threads/{threads.create(viewer).pk}/wishes"
    made = api.post(base, {"text": RULE}).json()
    assert (made["text"], made["message"]) == (RULE, None)
    assert api.get(base).json() == {"wishes": [made]}
    changed = api.put(f"{base}/{made['id']}", {"text": "Dates as 24.11.2026"}).json()
    assert changed["text"] == "Dates as 24.11.2026"
    assert api.post(base, {"text": "x" * 1001}).status_code == 422
    assert api.delete(f"{base}/{'f' * 24}").json()["detail"] == "Standing wish not found"
    assert api.delete(f"{base}/{made['id']}").json() == {"wishes": []} == api.delete(base).json()


def test_the_list_of_a_private_thread_is_its_owners_alone(
    actor: Actor, member: Callable[[Role], Actor], api_as: Callable[[Actor], ApiClient]
) -> None:
    thread = threads.create(actor, private=True)
    path = f"/v0/orgs/{actor.organization.pk}/chat/threads/{thread.pk}/wishes"
    assert api_as(member(Role.ADMIN)).get(path).status_code == 404
