"""The page that an MCP client shows in a sandbox: a card comes to it, it asks for nothing, and it opens DocRouter."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from agent.mcp import app

HOST = """<iframe sandbox="allow-scripts" style="width: 390px; height: 600px"></iframe><script>
  window.heard = [];
  const frame = document.querySelector("iframe");
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data }) => {
    heard.push(data);
    if (data.method === "ui/initialize") send({ id: data.id, result: { hostContext: { theme: "dark" } } });
    if (data.method === "ui/notifications/initialized") send({ method: "ui/notifications/tool-result", params: result });
  });
</script>"""
LINK = "https://docrouter.example/orgs/1/agent"
MARKUP = '<article class="card card-wait"><h3>Create tag “Paid”</h3></article>'
RESULT = {"content": [], "_meta": {app.CARD: {"markup": MARKUP, "link": LINK}}}


def test_it_shows_the_card_and_opens_the_link(browser: Browser) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(HOST)
    page.evaluate("result => { window.result = result; }", RESULT)
    page.evaluate("page => { document.querySelector('iframe').srcdoc = page; }", app.build_contents().text)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Create tag “Paid”")).to_be_visible()
    frame.get_by_role("button", name="Decide in DocRouter").click()
    page.wait_for_function("heard.some((each) => each.method === 'ui/open-link')")
    heard: list[dict[str, Any]] = page.evaluate("heard")
    assert [each["params"]["url"] for each in heard if each.get("method") == "ui/open-link"] == [LINK]
    assert {each["method"] for each in heard} <= {
        "ui/initialize",
        "ui/notifications/initialized",
        "ui/notifications/size-changed",
        "ui/open-link",
    }
    assert [address for address in asked if not address.startswith(("about:", "data:"))] == []
    page.evaluate(
        "send({ method: 'ui/notifications/tool-result', params: { structuredContent: { status: 'succeeded' } } })"
    )
    expect(frame.locator("#cards")).to_have_text("DocRouter: succeeded.")
    expect(frame.get_by_role("button")).to_have_count(0)
    page.close()
