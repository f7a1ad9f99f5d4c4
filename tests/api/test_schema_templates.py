"""Schema templates over /v0."""

from __future__ import annotations

from collections.abc import Callable

from accounts.actor import Actor
from accounts.models import Organization
from tests.conftest import ApiClient


def test_it_makes_a_schema_and_its_prompt_from_a_template(
    api_as: Callable[[Actor], ApiClient], actor: Actor, organization: Organization
) -> None:
    client, path = api_as(actor), f"/v0/orgs/{organization.pk}/schema_templates"
    listed = client.get(path).json()["schema_templates"]
    form = client.get(f"{path}/form").json()
    assert {name: form[name] for name in ("template", "title", "summary", "fields")} in listed
    made = client.post(f"{path}/form", {}).json()
    assert made["schema"]["response_format"] == form["response_format"]
    assert made["schema"]["value_checks"] == form["value_checks"]
    assert (made["prompt"]["schema_id"], made["prompt"]["content"]) == (made["schema"]["schema_id"], form["prompt"])
    assert client.post(f"{path}/form", {"name": "Form"}).status_code == 409
    assert client.post(f"{path}/form", {"name": "Claim"}).json()["prompt"]["name"] == "Claim"
    assert client.post(f"{path}/bill", {}).json()["detail"].startswith("There is no schema template 'bill'.")
