"""A program that connects by OAuth, as an attacker could write it: each step by itself, with whatever is sent."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.test import Client

VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
REDIRECT = "http://localhost/callback"


@dataclass
class Program:
    """`person` is the browser of who is asked."""

    person: Client
    client_id: str = ""
    redirect: str = REDIRECT
    browserless: Client = field(default_factory=Client)

    def register(self, **metadata: Any) -> Any:
        body = {"client_name": "Desk", "redirect_uris": [self.redirect], **metadata}
        answer = self.browserless.post("/oauth/register", body, content_type="application/json")
        if answer.status_code == 201:
            self.client_id = answer.json()["client_id"]
        return answer

    def address(self, **changes: Any) -> str:
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "state": "s1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": f"{settings.PUBLIC_URL}/mcp",
            **changes,
        }
        return "/oauth/authorize?" + urlencode({name: value for name, value in query.items() if value is not None})

    def answer(self, organization: str, *, role: str = "viewer", answer: str = "allow", **changes: Any) -> Any:
        form = {"organization": organization, "role": role, "answer": answer}
        return self.person.post(self.address(**changes), form)

    def get_code(self, organization: str, **changes: Any) -> str:
        return read_query(self.answer(organization, **changes)["Location"])["code"]

    def exchange(self, code: str, **changes: Any) -> Any:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "code_verifier": VERIFIER,
            **changes,
        }
        return self.browserless.post("/oauth/token", {name: value for name, value in form.items() if value is not None})

    def refresh(self, token: str, **changes: Any) -> Any:
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.client_id, **changes}
        return self.browserless.post("/oauth/token", form)

    def connect(self, organization: str, **changes: Any) -> dict[str, Any]:
        """The whole way. Answers what holds its keys."""
        if not self.client_id:
            assert self.register().status_code == 201
        answer = self.exchange(self.get_code(organization, **changes))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def read_query(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
