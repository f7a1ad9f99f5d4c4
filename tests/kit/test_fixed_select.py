"""A SELECT that is compiled once reads as a QuerySet does: anew each time, on the connection of its thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Length

from accounts.actor import Actor
from accounts.models import Member
from kit.rows.connections import release_connection
from kit.rows.fixed_select import FixedSelect, FixedValues, is_whole_table

pytestmark = pytest.mark.servers

built: list[str] = []


def select_member(organization: str, user: str) -> QuerySet[Member]:
    built.append(user)
    rows = Member.objects.select_related("organization").annotate(who=F("user__email"))
    return rows.filter(user=user, organization=organization)


def test_it_reads_rows_with_what_is_joined_and_annotated_in_one_statement(
    actor: Actor, stranger: Actor, django_assert_num_queries: object
) -> None:
    members = FixedSelect(select_member)
    built.clear()
    for each in (actor, stranger):
        with django_assert_num_queries(1):  # type: ignore[operator]
            member = members.first(user=each.user.pk, organization=each.organization.pk)
            assert member is not None and member.organization.name == each.organization.name
        assert (member.user_id, member.who) == (each.user.pk, each.user.email)  # type: ignore[attr-defined]
        assert member.created_at.tzinfo is not None
    assert members.first(user=actor.user.pk, organization=stranger.organization.pk) is None
    assert len(built) == 1


def test_it_sees_what_has_changed_since_and_its_rows_can_be_saved(actor: Actor) -> None:
    members = FixedSelect(select_member)
    ids = {"user": actor.user.pk, "organization": actor.organization.pk}
    member = members.first(**ids)
    assert member is not None
    member.role = "viewer"
    member.save()
    assert [each.role for each in members.list(**ids)] == ["viewer"]


@pytest.mark.django_db(transaction=True)
def test_each_thread_reads_by_its_own_connection(actor: Actor) -> None:
    members = FixedSelect(select_member)
    ids = {"user": actor.user.pk, "organization": actor.organization.pk}
    roles: list[str] = []

    def read() -> None:
        roles.extend(member.role for member in members.list(**ids))
        connection.close()

    first = threading.Thread(target=read)
    first.start()
    first.join()
    with transaction.atomic():
        Member.objects.filter(**ids).update(role="viewer")
        roles.extend(member.role for member in members.list(**ids))
    assert roles == ["admin", "viewer"]


def test_a_name_that_is_no_parameter_of_the_query_is_refused() -> None:
    rows = FixedSelect(lambda user: Member.objects.filter(user__email__contains=user))
    with pytest.raises(ValueError, match="Not all of user are parameters"):
        rows.first(user="a")


@pytest.mark.django_db(transaction=True)
def test_a_server_gets_its_connection_back_before_a_wait_and_a_file_stays_open(actor: Actor) -> None:
    Member.objects.exists()
    with transaction.atomic():
        release_connection()
        assert Member.objects.exists()
    release_connection()
    assert (connection.connection is None) == (connection.vendor != "sqlite")


def test_it_reads_tuples_and_takes_numbers_and_both_halves_of_a_union(actor: Actor, stranger: Actor) -> None:
    def select(user: str, longer: int) -> QuerySet[Member, tuple[str]]:
        rows = Member.objects.annotate(length=Length("user__email")).filter(length__gt=longer)
        mine = rows.filter(user=user).order_by().values_list("user__email")
        return mine.union(rows.exclude(user=user).order_by().values_list("user__email"), all=True)

    emails = FixedValues(select)
    assert sorted(emails.list(user=actor.user.pk, longer=0)) == [(actor.user.email,), (stranger.user.email,)]
    assert emails.first(user=actor.user.pk, longer=len(stranger.user.email)) is None


def test_a_row_that_is_not_there_is_missing_as_with_a_queryset(actor: Actor, stranger: Actor) -> None:
    members = FixedSelect(select_member)
    assert members.get(user=actor.user.pk, organization=actor.organization.pk).role == "admin"
    with pytest.raises(Member.DoesNotExist):
        members.get(user=stranger.user.pk, organization=actor.organization.pk)


@pytest.mark.parametrize(
    ("ask", "is_whole"),
    [
        (lambda rows: rows.all(), True),
        (lambda rows: rows.select_related("user"), True),
        (lambda rows: rows.filter(role="admin"), False),
        (lambda rows: rows.annotate(who=F("user__email")), False),
        (lambda rows: rows.select_related("user").order_by("pk"), False),
        (lambda rows: rows.only("pk"), False),
        (lambda rows: rows.select_for_update(), False),
        (lambda rows: rows.prefetch_related("user"), False),
        (lambda rows: rows.values("pk"), False),
        (lambda rows: rows.none(), False),
        (lambda rows: rows.all()[:1], False),
    ],
)
def test_it_knows_a_queryset_of_all_rows(ask: Callable[[Any], QuerySet[Any]], is_whole: bool) -> None:
    assert is_whole_table(ask(Member.objects)) is is_whole
