"""What goes out compressed, and what does not."""

import gzip
import re
from typing import Any

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from accounts.actor import Actor
from kit.http.compression import PageCompressionMiddleware
from tests.page_client import PageClient

UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
TOKEN = re.compile(r'"X-CSRFToken": "(\w+)"')
LONG = "word " * 1000
BROWSER = "gzip, deflate, br, zstd"


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [(BROWSER, "br"), ("gzip", "gzip"), ("gzip, br;q=0", "gzip"), ("br;q=0.5", "br"), ("", ""), ("identity", "")],
)
def test_a_page_comes_in_the_smallest_form_that_is_taken(db: None, accepts: str, encoding: str) -> None:
    answer = Client().get("/sign-in", headers={"accept-encoding": accepts}, follow=True)
    assert answer.get("Content-Encoding", "") == encoding
    assert answer["Content-Length"] == str(len(answer.content))
    assert "Accept-Encoding" in answer["Vary"]
    assert b"</html>" in UNPACK[encoding](answer.content)


def test_each_page_hides_the_token_of_its_forms_in_another_way(db: None) -> None:
    client = Client()
    pages = [client.get("/sign-in", headers={"accept-encoding": "br"}, follow=True) for _ in range(2)]
    tokens = [TOKEN.findall(brotli.decompress(page.content).decode()) for page in pages]
    assert len(client.cookies["csrftoken"].value) == 32
    assert tokens[0] != tokens[1]


def test_the_api_and_small_answers_go_out_as_they_are(client: PageClient, actor: Actor) -> None:
    client.force_login(actor.user)
    for address in (f"/v0/orgs/{actor.organization.pk}/tags", f"/orgs/{actor.organization.pk}/inbox/count"):
        answer = client.get(address, headers={"accept-encoding": BROWSER})
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer


@pytest.mark.parametrize(
    ("path", "response", "encoding"),
    [
        ("/orgs/1/documents", HttpResponse(LONG), "br"),
        ("/orgs/1/words.json", HttpResponse(LONG, content_type="application/json", headers={"ETag": '"1"'}), "br"),
        ("/v0/orgs/1/tags", HttpResponse(LONG, content_type="application/json"), None),
        ("/orgs/1/page.webp", HttpResponse(LONG, content_type="image/webp"), None),
        ("/orgs/1/stream", StreamingHttpResponse([LONG], content_type="text/event-stream"), None),
        ("/orgs/1/packed", HttpResponse(LONG, headers={"Content-Encoding": "gzip"}), "gzip"),
        ("/orgs/1/as-it-is", HttpResponse(LONG, headers={"Cache-Control": "no-transform"}), None),
    ],
)
def test_only_what_is_text_and_whole_is_compressed(path: str, response: Any, encoding: str | None) -> None:
    request = RequestFactory().get(path, headers={"accept-encoding": BROWSER})
    answer = PageCompressionMiddleware(lambda _: response)(request)
    assert answer.get("Content-Encoding") == encoding
    assert answer.get("ETag", 'W/"1"') == 'W/"1"'
