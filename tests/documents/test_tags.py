from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents.definitions import tags
from documents.models import Tag
from kit.errors import Conflict, Denied, NotFound


def test_it_lets_nobody_below_a_builder_touch_tags(actor: Actor, member: Callable[[Role], Actor]) -> None:
    reviewer, tag = member(Role.REVIEWER), tags.create(actor, name="a")
    for change in (
        lambda: tags.create(reviewer, name="b"),
        lambda: tags.update(reviewer, tag=tag, name="b"),
        lambda: tags.delete(reviewer, tag=tag),
    ):
        with pytest.raises(Denied):
            change()
    assert Tag.objects.get().name == "a"


def test_a_taken_name_says_whose_it_is(actor: Actor) -> None:
    tag = tags.create(actor, name="a")
    with pytest.raises(Conflict) as failure:
        tags.create(actor, name=" a ")
    assert (failure.value.winner, failure.value.code) == ({"tag_id": tag.pk}, "name_taken")


def test_it_records_no_change_where_there_is_none(actor: Actor) -> None:
    tag = tags.create(actor, name="a", color="#112233", description="d")
    tags.update(actor, tag=tag)
    tags.update(actor, tag=tag, name="a", color="", description="d")
    assert list(AuditEntry.objects.filter(target_kind="tag").values_list("action", flat=True)) == ["created"]


def test_it_finds_no_tag_that_was_deleted_meanwhile(actor: Actor) -> None:
    tag = tags.create(actor, name="a")
    tags.delete(actor, tag=Tag.objects.get())
    with pytest.raises(NotFound):
        tags.update(actor, tag=tag, name="b")
