from __future__ import annotations

from typing import Unpack

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet, TrashQuerySet
from documents.models import Document
from kit.rows.models import Row, SaveOptions, fold_case


class Thread(Row):
    """A conversation of one person with the agent, about one document or none.

    Members of the organization read it, unless it is private.
    """

    class Mode(models.TextChoices):
        ASK = "ask"
        AUTO = "auto"
        PLAN = "plan"

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="threads")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="threads", null=True, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="threads")
    private = models.BooleanField("only its owner may read it", default=False, editable=False)
    title = models.CharField(max_length=200, default="New chat")
    title_folded = models.CharField(max_length=600, editable=False, default="")
    mode = models.CharField(max_length=8, choices=Mode.choices, default=Mode.ASK)
    model = models.CharField(max_length=200, blank=True, help_text="Empty: the default agent model.")
    working_state = models.JSONField("ids of the last schema, prompt and extraction", default=dict, blank=True)
    steps = models.JSONField('what the agent has set out to do: [{"text", "done"}]', default=list, blank=True)
    steps_edited_at = models.DateTimeField("when a person last changed the steps", null=True, blank=True)
    last_seq = models.PositiveBigIntegerField("sequence of the newest event", default=0, editable=False)
    last_message = models.PositiveIntegerField("number of the newest message", default=0, editable=False)
    updated_at = models.DateTimeField(auto_now=True)
    trashed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TrashQuerySet["Thread"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "document", "-updated_at"], name="thread_newest"),
            # Few of many, looked for every ten seconds.
            models.Index(fields=["trashed_at"], condition=Q(trashed_at__isnull=False), name="thread_in_trash"),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.title_folded = fold_case(self.title)
        fields = list(options.get("update_fields") or ())
        if "title" in fields:
            options["update_fields"] = [*fields, "title_folded"]
        super().save(**options)


class MessageQuerySet(ScopedQuerySet["Message"]):
    organization_path = "thread__organization"


class Message(Row):
    """What a person wrote or one model call answered, as canonical blocks.

    Blocks: {"type": "text", "text"} | {"type": "thinking", "text", "seconds"?} | {"type": "tool_call", "call_id"}
    | {"type": "checked", "unsupported", "missing", "sums", "added_up", "coverage"} | {"type": "repair", "text"}
    | {"type": "again", "call_id"} | {"type": "on_the_way"}, with what is not proven as in "checked".
    `provider_extras` keeps what must go back verbatim, such as thinking signatures.
    """

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="messages")
    turn = models.ForeignKey("agent.Turn", on_delete=models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=10, choices=Role.choices)
    blocks = models.JSONField(default=list)
    text_folded = models.TextField("what a search looks in", editable=False, default="", blank=True)
    mentions = models.JSONField('what the person named: [{"type", "id"}]', default=list, blank=True)
    model = models.CharField(max_length=200, blank=True)
    provider_extras = models.JSONField(default=dict, blank=True)
    complete = models.BooleanField("false for the partial text of a cancelled round", default=True)
    dropped_at = models.DateTimeField(
        "the person went back before it: kept, neither shown nor sent", null=True, blank=True, editable=False
    )

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["thread", "number"], name="message_number_once")]

    def __str__(self) -> str:
        return f"message {self.number} of {self.thread}"

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.text_folded = fold_case(" ".join(block["text"] for block in self.blocks if block.get("type") == "text"))
        super().save(**options)

    def join_text(self, kind: str = "text") -> str:
        """What its blocks of one kind say."""
        return "".join(block["text"] for block in self.blocks if block.get("type") == kind)


class EventQuerySet(ScopedQuerySet["Event"]):
    organization_path = "thread__organization"


class Event(Row):
    """The durable feed of a thread. `seq` has no gaps and is allotted as the last statement of a transaction."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["thread", "seq"], name="event_seq_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"
