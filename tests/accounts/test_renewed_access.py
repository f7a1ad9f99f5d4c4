"""What still holds of an access that was let in, and what one that is let in may take hold of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Self

import pytest
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from accounts.access import enter, fetch, get_end_of_access, make_role, renew
from accounts.actor import Actor
from accounts.models import AccessToken, Member, Organization, Role, User
from accounts.services import tokens
from documents.models import Prompt, Schema, Tag
from kit.errors import Denied, NotFound, Unauthenticated

Act = Callable[[Actor], object]


@pytest.fixture
def by_token(actor: Actor) -> Actor:
    token, _ = tokens.create(actor.user, name="k", lifetime_days=3, role_ceiling="reviewer")
    return enter(actor.user, actor.organization.pk, token=token)


@pytest.fixture
def by_session(actor: Actor) -> Actor:
    browser = Client()
    browser.force_login(actor.user)
    return enter(actor.user, actor.organization.pk, session_key=str(browser.session.session_key))


def is_counted_as_member(actor: Actor) -> bool:
    """By a query over rows that name a user and an organization."""
    row, _ = tokens.create(actor.user, name="k")
    AccessToken.objects.filter(pk=row.pk).update(organization=actor.organization)
    role = AccessToken.objects.annotate(role=make_role("user", "organization")).get(pk=row.pk).role
    assert role in (None, actor.role)
    return role is not None


ENDS: list[Act] = [
    lambda actor: User.objects.filter(pk=actor.user.pk).update(is_active=False),
    lambda actor: Organization.objects.filter(pk=actor.organization.pk).update(closed_at=timezone.now()),
    lambda actor: Member.objects.filter(user=actor.user).delete(),
]
NAMES = ["switched off", "closed", "removed"]


@pytest.mark.parametrize("end", ENDS, ids=NAMES)
def test_a_query_counts_as_members_those_who_would_be_let_in(actor: Actor, stranger: Actor, end: Act) -> None:
    assert is_counted_as_member(actor) and is_counted_as_member(stranger)
    assert not is_counted_as_member(replace(actor, user=stranger.user))
    end(actor)
    assert not is_counted_as_member(actor)
    with pytest.raises(NotFound):
        enter(User.objects.get(pk=actor.user.pk), actor.organization.pk)


def test_an_access_by_token_is_renewed_with_its_ceiling(by_token: Actor) -> None:
    again = renew(by_token)
    assert (again.role, again.token) == (Role.REVIEWER, by_token.token)


def test_an_access_by_token_ends_with_the_token(by_token: Actor) -> None:
    AccessToken.objects.all().delete()
    with pytest.raises(Unauthenticated):
        renew(by_token)


def test_an_access_by_session_is_renewed_with_it_and_ends_with_it(by_session: Actor) -> None:
    assert renew(renew(by_session)).session_key == by_session.session_key
    Session.objects.all().delete()
    with pytest.raises(Unauthenticated):
        renew(by_session)


@pytest.mark.parametrize("end", ENDS[1:], ids=NAMES[1:])
def test_no_access_is_renewed_of_who_is_no_member_any_more(by_session: Actor, end: Act) -> None:
    end(by_session)
    with pytest.raises(NotFound):
        renew(by_session)


def test_it_knows_when_an_access_ends_by_itself(by_token: Actor, by_session: Actor) -> None:
    in_three_days = timezone.now() + timedelta(days=3)
    end = get_end_of_access(by_token)
    assert end and abs(end - in_three_days) < timedelta(minutes=5)
    assert get_end_of_access(by_session) == Session.objects.get().expire_date
    forever, _ = tokens.create(by_token.user, name="k")
    assert get_end_of_access(replace(by_session, token=forever)) is None


@pytest.mark.parametrize("known", ["", "x", "\0"])
def test_what_is_no_id_is_not_looked_for(actor: Actor, known: str, django_assert_num_queries: Act) -> None:
    with django_assert_num_queries(0):
        with pytest.raises(NotFound):
            enter(actor.user, known)
        with pytest.raises(NotFound, match="Tag not found"):
            fetch(actor, Tag.objects.all(), known, noun="Tag")


def test_a_row_that_needs_a_higher_role_is_denied_whether_it_is_there_or_not(member: Callable[[Role], Actor]) -> None:
    viewer = member(Role.VIEWER)
    tag = Tag.objects.create(organization=viewer.organization, name="Invoices")
    assert fetch(viewer, Tag.objects.all(), tag.pk, noun="Tag") == tag
    for row_id in (tag.pk, "0" * 24):
        with pytest.raises(Denied):
            fetch(viewer, Tag.objects.all(), row_id, noun="Tag", role=Role.BUILDER)


class NamedTags(QuerySet[Tag]):
    """Takes fewer rows for the organization's own than the model's usual QuerySet."""

    def for_org(self, organization: Organization) -> Self:
        return self.filter(organization=organization, name="Invoices")


def test_each_kind_of_queryset_keeps_its_own_bounds(actor: Actor) -> None:
    """Statements are compiled once, and none may stand in for another."""
    tag = Tag.objects.create(organization=actor.organization, name="Receipts")
    assert fetch(actor, Tag.objects.all(), tag.pk, noun="Tag") == tag
    with pytest.raises(NotFound):
        fetch(actor, NamedTags(Tag), tag.pk, noun="Tag")


def test_each_kind_of_row_is_looked_for_in_its_own_table(actor: Actor) -> None:
    schema = Schema.objects.create(organization=actor.organization, name="Invoices")
    prompt = Prompt.objects.create(organization=actor.organization, name="Invoices")
    assert fetch(actor, Schema.objects.all(), schema.pk, noun="Schema") == schema
    assert fetch(actor, Prompt.objects.all(), prompt.pk, noun="Prompt") == prompt
