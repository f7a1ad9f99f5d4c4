from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actor import Actor
from accounts.administration.groups import GROUPS
from accounts.models import AccessToken, AuditEntry, Member, Organization, OutboundRule, Role, User
from accounts.services import users
from agent.models import AgentSettings, OutsideServer
from documents.models import (
    Budget,
    Document,
    EmbeddingChoice,
    Extraction,
    LanguageModel,
    ModelPrice,
)
from kit.errors import Invalid
from tests.rows import one_of_each

pytestmark = pytest.mark.flows

OURS = [model for app in ("accounts", "documents", "agent") for model in apps.get_app_config(app).get_models()]


@pytest.fixture
def client(client: Client, db: None) -> Client:
    client.force_login(users.create(None, email="root@acme.example", password=None, is_superuser=True))
    return client


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_a_table_s_plural_is_a_word(model: type[Model]) -> None:
    """Django puts an s behind whatever it is."""
    assert not re.search(r"(sh|ch|x|ss|z|[^aeiou]y|index|data)s$", str(model._meta.verbose_name_plural))


def address(model: type[Model], page: str = "changelist", *args: str) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def act(client: Client, name: str, *rows: Model) -> str:
    chosen = {"action": name, "_selected_action": [row.pk for row in rows]}
    page = client.post(address(type(rows[0])), chosen, follow=True)
    assert page.status_code == 200
    return " ".join(str(message) for message in page.context["messages"])


def has_inline_code(page: str) -> list[str]:
    """What the content policy would stop."""
    scripts = re.findall(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", page)
    return scripts + re.findall(r"\sstyle=\"[^\"]*\"|\son[a-z]+=\"[^\"]*\"|<style[^>]*>", page)


def test_it_has_a_page_for_every_model() -> None:
    assert [model for model in OURS if model not in admin.site._registry] == []


def test_the_index_has_each_record_in_one_group_and_titles_name_what_they_show(client: Client, actor: Actor) -> None:
    """Put a new model into its group in `accounts/administration/groups.py`."""
    labels = [label for group in GROUPS for label in group.labels]
    assert sorted(labels) == sorted(model._meta.label for model in admin.site._registry)
    index = client.get(reverse("admin:index")).text
    assert all(group.title in index and group.summary in index for group in GROUPS)
    assert client.get("/admin/documents/").headers["Location"] == reverse("admin:index")
    extraction = one_of_each(actor)[Extraction]
    for page, title in (
        (address(Extraction), "Extractions"),
        (address(Extraction, "change", extraction.pk), "Extraction"),
    ):
        text = client.get(page).text
        assert f"<h1>{title}</h1>" in text and '/admin/#documents">Documents</a>' in text
    assert "<h1>Add user</h1>" in client.get(address(User, "add")).text


def test_it_shows_every_list_and_row_by_as_many_queries_for_few_as_for_many(client: Client, actor: Actor) -> None:
    """Without inline code, and few of the rows with a form to be written in. A form shows one row, so lists alone count."""
    rows = one_of_each(actor)
    assert set(rows) == set(OURS)
    ContentType.objects.get_for_models(*OURS)  # which are kept once looked up
    lists = {model: fetch(client, address(model)) for model in OURS}
    forms = {model: fetch(client, address(model, "change", rows[model].pk)) for model in OURS}
    for model in OURS:
        words = str(rows[model].pk)
        request = RequestFactory().get("/", {"q": words})
        found, _ = admin.site._registry[model].get_search_results(request, model._default_manager.all(), words)
        assert found.count() in (0, 1), model
        for page in (lists[model], forms[model]):
            assert page.answer.status_code == 200, model
            assert has_inline_code(page.answer.text) == [], model
            assert "script-src 'self'" in page.answer["Content-Security-Policy"]
            assert page.queries < 20, model
        assert "SECRET" not in lists[model].answer.text, model
    changeable = {model for model, page in forms.items() if 'name="_save"' in page.answer.text}
    changed_for_all = {LanguageModel, ModelPrice, EmbeddingChoice}
    assert changeable == {User, Organization, Member, Budget, AgentSettings, *changed_for_all}
    for _ in range(3):
        one_of_each(actor)
    for model in OURS:
        assert fetch(client, address(model)).queries == lists[model].queries, model


class Fetched(NamedTuple):
    answer: Any
    queries: int


def fetch(client: Client, path: str) -> Fetched:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    return Fetched(answer, len(queries))


def test_it_opens_few_forms_for_adding_and_none_for_deleting(client: Client, actor: Actor) -> None:
    rows = one_of_each(actor)
    addable = {model for model in rows if client.get(address(model, "add")).status_code == 200}
    assert addable == {User, Member, ModelPrice, EmbeddingChoice, OutboundRule, OutsideServer}
    for model, row in rows.items():
        assert client.get(address(model, "delete", row.pk)).status_code == 403, model


def test_it_refuses_staff_who_are_not_system_admins(client: Client, actor: Actor) -> None:
    User.objects.filter(pk=actor.user.pk).update(is_staff=True)
    client.force_login(actor.user)
    assert client.get(address(Document)).status_code == 403


def test_it_changes_the_agents_settings_by_the_service_that_checks_them(client: Client, actor: Actor) -> None:
    row = one_of_each(actor)[AgentSettings]
    form = {
        "default_model": "",
        "allowed_models": "[]",
        "max_rounds": "7",
        "turn_limit_micros": "",
        "default_mode": "auto",
        "disabled_tools": '["create_schema"]',
        "organization_instructions": "",
    }
    client.post(address(AgentSettings, "change", row.pk), form)
    row.refresh_from_db()
    assert (row.max_rounds, row.default_mode, row.disabled_tools) == (7, "auto", ["create_schema"])
    answer = client.post(address(AgentSettings, "change", row.pk), form | {"max_rounds": "700"}, follow=True)
    assert "it must be 1 to 100" in answer.text
    row.refresh_from_db()
    assert row.max_rounds == 7


def test_it_keeps_an_admin_in_every_organization(client: Client, actor: Actor, stranger: Actor) -> None:
    only = Member.objects.get(organization=actor.organization)
    page = client.post(address(Member, "change", only.pk), {"role": "viewer"}, follow=True)
    assert "needs an admin" in page.content.decode()
    assert "needs an admin" in act(client, "remove", only)
    new = {"organization": actor.organization.pk, "user": stranger.user.pk, "role": "viewer"}
    assert client.post(address(Member, "add"), new).status_code == 302
    assert Member.objects.get(organization=actor.organization, user=stranger.user).role == Role.VIEWER
    assert "already exists" in client.post(address(Member, "add"), new, follow=True).content.decode()
    assert AuditEntry.objects.filter(action="added", user__email="root@acme.example").count() == 1


def test_it_writes_an_audit_row_for_each_change(client: Client, actor: Actor) -> None:
    rows = one_of_each(actor)
    budget, model = rows[Budget], rows[LanguageModel]
    assert client.post(address(Budget, "change", budget.pk), {"limit_micros": "7"}).status_code == 302
    assert client.post(address(LanguageModel, "change", model.pk), {}).status_code == 302
    form = {"name": "Acme 2", "type": "team", "identical_files": "warn", "agent_stopped": "on"}
    assert client.post(address(Organization, "change", actor.organization.pk), form).status_code == 302
    budget.refresh_from_db(), model.refresh_from_db(), actor.organization.refresh_from_db()
    assert (budget.limit_micros, model.enabled, actor.organization.agent_stopped) == (7, False, True)
    for row in (budget, model, actor.organization):
        assert AuditEntry.objects.filter(target_id=row.pk, user__email="root@acme.example").exists(), row


def test_it_changes_an_organization_by_the_services(client: Client, actor: Actor, stranger: Actor) -> None:
    path = address(Organization, "change", actor.organization.pk)
    name, type_ = actor.organization.name, actor.organization.type
    form = {"type": type_, "identical_files": "keep"}
    client.post(path, form | {"name": name, "agent_stopped": "on", "local_models_only": "on"})
    actions = AuditEntry.objects.filter(target_id=actor.organization.pk).values_list("action", flat=True)
    assert set(actions) >= {"agent stopped", "local models only"}
    page = client.post(path, form | {"name": stranger.organization.name.upper()}, follow=True)
    assert "exists already" in page.content.decode()
    actor.organization.refresh_from_db()
    assert (actor.organization.name, actor.organization.agent_stopped) == (name, True)


def test_it_refuses_an_address_that_is_taken_in_other_letters(client: Client, actor: Actor) -> None:
    taken = actor.user.email.upper()
    new = {"email": taken, "usable_password": "true", "password1": "a fine sentence", "password2": "a fine sentence"}
    assert "already exists" in client.post(address(User, "add"), new).content.decode()
    own = User.objects.get(email="root@acme.example")
    assert "already exists" in client.post(address(User, "change", own.pk), {"email": taken}).content.decode()


@pytest.mark.parametrize("lookup", [{"created_at__year": "99999"}, {"created_at__gte": "0001-01-01T00:00:00+14:00"}])
def test_it_leads_back_from_a_time_that_is_none(client: Client, lookup: dict[str, str]) -> None:
    answer = client.get(address(AuditEntry), lookup)
    # PostgreSQL knows times before the first year.
    assert answer.get("Location", "").endswith("?e=1") or (connection.vendor, answer.status_code) == ("postgresql", 200)


def test_it_looks_nothing_up_by_what_it_does_not_show(client: Client) -> None:
    assert client.get(address(AccessToken), {"digest__startswith": "a"}).status_code == 400
    assert client.get(address(User), {"password__startswith": "p"}).status_code == 400


def test_it_makes_and_switches_off_people(client: Client) -> None:
    form = {
        "email": "New@Acme.example",
        "name": "N",
        "usable_password": "true",
        "is_superuser": "on",
        "password1": "a sentence is fine here",
        "password2": "a sentence is fine here",
    }
    assert client.post(address(User, "add"), form).status_code == 302
    person = User.objects.get(email="new@acme.example")
    assert person.is_staff
    assert person.check_password("a sentence is fine here")
    assert client.post(address(User, "change", person.pk), {"email": person.email, "name": "N"}).status_code == 302
    person.refresh_from_db()
    assert (person.is_active, person.is_superuser, person.is_staff) == (False, False, False)
    own = User.objects.get(email="root@acme.example")
    page = client.post(address(User, "change", own.pk), {"email": own.email}, follow=True)
    assert "cannot take the administration from yourself" in page.content.decode()
    own.refresh_from_db()
    assert own.is_superuser


def test_a_system_admin_is_left_when_two_end_one_another_at_once(rf: RequestFactory, db: None) -> None:
    first, second = (users.create(None, email=f"{n}@a.example", password=None, is_superuser=True) for n in "12")
    request = rf.post("/")
    request.user = first
    User.objects.filter(pk=first.pk).update(is_superuser=False)  # after this request was let in
    second.is_active = False
    with pytest.raises(Invalid, match="the last system admin"):
        admin.site._registry[User].save_model(request, second, None, change=True)


def test_it_sets_another_password_for_somebody(client: Client, actor: Actor) -> None:
    path = reverse("admin:auth_user_password_change", args=[actor.user.pk])
    assert path in client.get(address(User, "change", actor.user.pk)).content.decode()
    page = client.get(path)
    assert has_inline_code(page.content.decode()) == []
    new = {"usable_password": "true", "password1": "another sentence here", "password2": "another sentence here"}
    assert client.post(path, new).status_code == 302
    actor.user.refresh_from_db()
    assert actor.user.check_password("another sentence here")
    assert AuditEntry.objects.get(action="changed password").target_id == actor.user.pk


def test_it_lists_page_by_page_and_finds_by_name_and_by_key(client: Client, actor: Actor) -> None:
    for number in range(53):
        Document.objects.create(
            organization=actor.organization,
            name=f"Übersicht {number:02}.pdf",
            sha256=f"{number:064}",
            size=1,
            media_type="application/pdf" if number else "text/plain",
            file="none",
        )

    def list_names(**query: str) -> list[str]:
        return [row.name for row in client.get(address(Document), query).context["cl"].result_list]

    newest_first = [f"Übersicht {number:02}.pdf" for number in reversed(range(53))]
    assert (list_names(), list_names(p="2")) == (newest_first[:50], newest_first[50:])
    assert list_names(q="über 07", o="1") == list_names(q="ÜBERSICHT 07") == ["Übersicht 07.pdf"]
    assert list_names(q=Document.objects.get(name="Übersicht 30.pdf").pk) == ["Übersicht 30.pdf"]
    assert list_names(q=f"{9:064}") == ["Übersicht 09.pdf"]
    assert list_names(media_type="text/plain") == ["Übersicht 00.pdf"]
    assert "?media_type=text%2Fplain" in client.get(address(Document)).text
