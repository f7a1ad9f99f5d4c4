"""The rows that most tests start from are those that the services write."""

from __future__ import annotations

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, User
from accounts.services import organizations, users
from tests.repeated_rows import RepeatedRows

OWN = {"id", "created_at", "updated_at", "user_id", "organization_id", "target_id", "password"}


def describe(*rows: object) -> list[dict[str, object]]:
    return [{name: value for name, value in vars(row).items() if name not in OWN | {"_state"}} for row in rows]


def test_it_writes_the_same_with_other_ids_and_words(db: None) -> None:
    rows = RepeatedRows[User]()
    first, again = (
        rows.make(lambda: users.create(None, email="a@acme.example", password=None, name="A"), email, email[0].upper())
        for email in ("a@acme.example", "b@acme.example")
    )
    assert first.pk != again.pk
    stored = User.objects.get(pk=again.pk)
    by_service = users.create(None, email="c@acme.example", password=None, name="C")
    assert (again.email, again.name) == ("b@acme.example", "B")
    assert describe(again) == describe(stored) == [{**describe(by_service)[0], "email": again.email, "name": "B"}]
    entries = [AuditEntry.objects.get(target_id=user.pk) for user in (first, again, by_service)]
    assert describe(entries[0]) == describe(entries[1]) == describe(entries[2])


def test_the_admin_that_tests_start_from_is_who_would_be_let_in(actor: Actor, stranger: Actor) -> None:
    for who in (actor, stranger):
        entered = enter(User.objects.get(pk=who.user.pk), who.organization.pk)
        assert (entered.role, describe(entered.organization)) == (who.role, describe(who.organization))
    made = organizations.create(actor.user, name="By the service", type="team")
    told = describe(Organization.objects.get(pk=actor.organization.pk))[0]
    assert told == {**describe(made)[0], "name": "Acme", "name_folded": "acme"}
    assert AuditEntry.objects.filter(organization=actor.organization).count() == 1
