"""What is answered when a row refers to one that is gone."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.actor import Actor
from accounts.middleware import AppErrorMiddleware
from documents.models import Tag
from kit.http.failures import GONE
from kit.ids import new_id
from kit.rows.references import is_reference_failure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def fail_by(**changes: object) -> IntegrityError:
    with pytest.raises(IntegrityError) as failed, transaction.atomic():
        Tag.objects.create(**changes)
    return failed.value


def test_what_refers_to_a_row_that_is_gone_is_a_conflict_and_no_failure() -> None:
    error = fail_by(organization_id=new_id(), name="a")
    answer = AppErrorMiddleware(lambda request: HttpResponse()).process_exception(RequestFactory().post("/v0/x"), error)
    assert answer is not None
    assert answer.status_code == 409
    assert GONE in answer.content.decode()


def test_no_other_refusal_of_the_database_is_taken_for_it(actor: Actor) -> None:
    Tag.objects.create(organization=actor.organization, name="a")
    assert not is_reference_failure(fail_by(organization=actor.organization, name="a"))
    assert not is_reference_failure(IntegrityError("FOREIGN KEY constraint failed"))
