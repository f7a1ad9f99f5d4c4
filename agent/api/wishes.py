"""Standing wishes of a thread: what its owner wants to hold in all of it, in their own words."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.api.access import OrganizationView
from accounts.api.wire.answers import Id, Timestamp
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent import wishes
from agent.api.chat import NO_DOCUMENT, document_of
from agent.conversation import threads, wish_list
from agent.models import StandingWish, Thread
from kit.errors import NotFound
from kit.timestamps import format_timestamp


class Wish(TypedDict):
    """What holds in a whole thread, in the words of a person."""

    id: Id
    text: str
    message: Annotated[int | None, Field(description="The number of the message that says it.")]
    created_at: Timestamp
    updated_at: Timestamp


class StandingWishes(TypedDict):
    """All of a thread, the oldest first."""

    wishes: list[Wish]


class WishText(RequestBody):
    text = StrictTextField(max_length=wishes.MAX_CHARACTERS, help_text="The rule, name or format, in your own words.")


class NewWish(WishText):
    message = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, help_text="The number of the message that says it."
    )


class _WishesView(OrganizationView):
    def fetch_thread(self, thread_id: str, document_id: str) -> Thread:
        thread = threads.fetch_readable(self.actor, thread_id)
        if thread.document != document_of(self.actor, document_id):
            raise NotFound("Thread not found")
        return thread


class Wishes(_WishesView):
    """The standing wishes of a thread, the oldest first. The agent reads them in each round, word for word.

    At most 20 of 1,000 characters, 6,000 together. DELETE takes all of them off the list.
    """

    roles = {"GET": Role.VIEWER, "POST": Role.REVIEWER, "DELETE": Role.REVIEWER}
    bodies = {"POST": NewWish}

    @describe("List standing wishes")
    def get(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[StandingWishes]:
        return _answer_list(self.fetch_thread(thread_id, document_id))

    @describe(
        "Add a standing wish",
        refusals={
            400: ["The list has 20 wishes, which is the most. Take one off, or join two."],
            403: ["This thread is Ana Adams's. Start one of your own to talk to the agent."],
        },
    )
    def post(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[Wish]:
        thread, body = self.fetch_thread(thread_id, document_id), self.read_body()
        wish = wish_list.add(self.actor, thread=thread, text=body["text"], message_number=body["message"])
        return Answer(_describe_wish(wish))

    @describe("Clear standing wishes")
    def delete(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[StandingWishes]:
        thread = self.fetch_thread(thread_id, document_id)
        wish_list.clear(self.actor, thread=thread)
        return _answer_list(thread)


class OneWish(_WishesView):
    """One standing wish, for the owner of the thread to change or to remove from the list."""

    roles = {"PUT": Role.REVIEWER, "DELETE": Role.REVIEWER}
    bodies = {"PUT": WishText}

    @describe("Change a standing wish", refusals={404: ["Standing wish not found"]})
    def put(self, request: Request, thread_id: str, wish_id: str, document_id: str = NO_DOCUMENT) -> Answer[Wish]:
        wish = self._fetch(thread_id, wish_id, document_id)
        return Answer(_describe_wish(wish_list.change(self.actor, wish=wish, text=self.read_body()["text"])))

    @describe("Remove a standing wish")
    def delete(
        self, request: Request, thread_id: str, wish_id: str, document_id: str = NO_DOCUMENT
    ) -> Answer[StandingWishes]:
        wish = self._fetch(thread_id, wish_id, document_id)
        wish_list.remove(self.actor, wish=wish)
        return _answer_list(wish.thread)

    def _fetch(self, thread_id: str, wish_id: str, document_id: str) -> StandingWish:
        return wishes.fetch_wish(self.fetch_thread(thread_id, document_id), wish_id)


def _answer_list(thread: Thread) -> Answer[StandingWishes]:
    return Answer({"wishes": [_describe_wish(wish) for wish in wishes.list_wishes(thread)]})


def _describe_wish(wish: StandingWish) -> Wish:
    return {
        "id": wish.pk,
        "text": wish.text,
        "message": wish.message.number if wish.message else None,
        "created_at": format_timestamp(wish.created_at),
        "updated_at": format_timestamp(wish.updated_at),
    }
