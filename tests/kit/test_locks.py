from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Organization
from kit.rows.locks import lock_rows

pytestmark = pytest.mark.servers


@pytest.mark.django_db
def test_rows_are_locked_by_one_statement_where_a_transaction_does_not_lock_them_all(
    organization: Organization,
) -> None:
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        lock_rows(Organization.objects.filter(pk=organization.pk))
    locks = ['FOR UPDATE OF "accounts_organization"' in query["sql"] for query in queries]
    assert locks == ([True] if connection.vendor == "postgresql" else [])
