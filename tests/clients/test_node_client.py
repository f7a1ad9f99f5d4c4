"""The published TypeScript client against a running product: each test of tests/clients/node is a test here."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import needs, scripts
from tests.clients.mcp_desk import Desk
from tests.product import Product

FOLDER = Path(__file__).resolve().parent / "node"
TEST = re.compile(r'^test\("(it .+?)",', re.MULTILINE)
NAMES = [name for path in sorted(FOLDER.glob("*.mjs")) for name in TEST.findall(path.read_text(encoding="utf-8"))]
INSTALL_SECONDS, RUN_SECONDS = 180, 240
PEOPLE = f"""{scripts.START}
import json
from django.conf import settings
from accounts.services import organizations, tokens, users
def person(name, superuser):
    user = users.create(None, email=f"{{name}}@client.example", password=None, name=name, is_superuser=superuser)
    return user, organizations.create(user, name=f"{{name}} and company", type="team")
admin, ours = person("Ada", True)
stranger, theirs = person("Bob", False)
print(json.dumps({{
    "user": admin.pk,
    "run_wait_seconds": settings.RUN_WAIT_SECONDS,
    "organization": ours.pk,
    "token": tokens.create(admin, name="Node", organization=ours)[1],
    "account_token": tokens.create(admin, name="Node")[1],
    "other_organization": theirs.pk,
    "other_account_token": tokens.create(stranger, name="Node")[1],
}}))
"""
pytestmark = pytest.mark.clients


@pytest.fixture(scope="module")
def npm() -> str:
    if explain_missing := needs.NODE.explain_missing():
        pytest.fail(explain_missing)
    return str(needs.first_on_path("npm"))


@pytest.fixture(scope="module")
def product(npm: str, desk: Desk) -> Product:
    install(npm)
    return desk.product


@pytest.fixture(scope="module")
def problems(product: Product) -> Mapping[str, str]:
    """What the script said: a test's name and its problem, empty when it passed."""
    people = product.run("-c", PEOPLE)
    assert people.returncode == 0, people.stderr
    connection = json.dumps({**json.loads(people.stdout), "url": product.url})
    ran = subprocess.run(
        ["node", "--test-reporter=./report.mjs", "all.mjs"],
        cwd=FOLDER,
        env={**os.environ, "DOCROUTER_GIVEN": connection},
        timeout=RUN_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"name"')]
    assert lines, f"{ran.stdout}\n{ran.stderr}\n{product.log[-4000:]}"
    return {line["name"]: line["problem"] for line in lines}


@pytest.mark.parametrize("name", NAMES)
def test_its_own_test_passes(problems: Mapping[str, str], name: str) -> None:
    assert name in problems, f"It was not run. These were: {', '.join(problems)}"
    assert not problems[name], problems[name]


def test_it_ran_nothing_beyond_the_tests_named_here(problems: Mapping[str, str]) -> None:
    assert set(problems) == set(NAMES)


def test_the_lock_names_no_place_to_download_from() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def install(npm: str) -> None:
    ran = subprocess.run([npm, "ci"], cwd=FOLDER, timeout=INSTALL_SECONDS, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"npm could not install the client:\n{ran.stdout}\n{ran.stderr}"
