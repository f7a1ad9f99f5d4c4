"""Next steps after the first verified document: each shown while it is not done and nobody has dismissed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from accounts.actor import Actor
from accounts.models import Invitation, Member, Role
from accounts.services import member_memory
from documents.definitions import prompts, tags
from documents.models import Document, Prompt, Tag
from kit.errors import Conflict, Invalid
from kit.events import organization_group
from kit.group_cache import get_or_compute

UPLOADS = 10


@dataclass(frozen=True)
class NextStep:
    """`words` are its button; `prompt` is the name of what it is about, where it is about one."""

    name: str
    words: str
    prompt: str = ""


def list_next_steps(actor: Actor) -> list[NextStep]:
    """Empty before anything is verified, and for viewers. Worked out again when something changes."""
    if not actor.may(Role.REVIEWER):
        return []
    group = organization_group(actor.organization.pk)
    steps = get_or_compute(group, f"next steps of {actor.role}", lambda: _list_open(actor))
    if not steps:
        return []
    dismissed = member_memory.list_dismissed_steps(actor)
    needs_key = actor.user.is_superuser
    return [step for step in steps if step.name not in dismissed and (step.name != "key" or needs_key)]


def dismiss(actor: Actor, *, name: str) -> None:
    if name not in _STEPS:
        raise Invalid("There is no such step.")
    member_memory.dismiss_step(actor, name=name)


@transaction.atomic
def tag_prompt(actor: Actor) -> tuple[Prompt, Tag]:
    """The newest prompt without a tag gets one of its own name, there or new. Raises Conflict where none is left."""
    actor.require(Role.BUILDER)
    prompt = _find_untagged(actor)
    if prompt is None:
        raise Conflict("Each prompt has a tag by now.")
    tag = Tag.objects.for_org(actor.organization).filter(name=prompt.name).first()
    tag = tag or tags.create(actor, name=prompt.name)
    prompts.save_version(actor, prompt=prompt, tags=[tag])
    return prompt, tag


def _list_open(actor: Actor) -> list[NextStep]:
    verified = Document.objects.for_org(actor.organization).filter(review=Document.Review.VERIFIED)
    if not verified.exists():
        return []
    return [step for find in _STEPS.values() if (step := find(actor))]


def _find_untagged(actor: Actor) -> Prompt | None:
    rows = Prompt.objects.for_org(actor.organization).filter(trashed_at=None, latest__isnull=False, latest__tags=None)
    return rows.order_by("-created_at", "-pk").first()


def _find_tag_step(actor: Actor) -> NextStep | None:
    prompt = _find_untagged(actor) if actor.may(Role.BUILDER) else None
    return NextStep("tag", f"Run “{prompt.name}” by tag", prompt.name) if prompt else None


def _find_upload_step(actor: Actor) -> NextStep | None:
    rows = Document.objects.for_org(actor.organization).filter(parent=None).order_by()
    is_done = rows.values("pk")[:UPLOADS].count() >= UPLOADS
    return None if is_done else NextStep("upload", f"Upload {UPLOADS} documents")


def _find_invite_step(actor: Actor) -> NextStep | None:
    if not actor.may(Role.ADMIN):
        return None
    members = Member.objects.filter(organization=actor.organization).exclude(user=actor.user)
    invited = Invitation.objects.open().filter(organization=actor.organization)
    return None if members.exists() or invited.exists() else NextStep("invite", "Invite a colleague")


def _find_key_step(actor: Actor) -> NextStep | None:
    return NextStep("key", "Set a model key") if settings.DEFAULT_MODEL.startswith("offline/") else None


_STEPS: dict[str, Callable[[Actor], NextStep | None]] = {
    "tag": _find_tag_step,
    "upload": _find_upload_step,
    "invite": _find_invite_step,
    "key": _find_key_step,
}
