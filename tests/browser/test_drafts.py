"""An answer that is being written, as it is shown and read out."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.test_schema_editor import modules  # noqa: F401 - it is a fixture

REST = " Rows [3] and [a] stay"


def test_a_draft_is_shown_and_read_out_without_the_names_of_lines(modules: Page) -> None:
    heard = modules.evaluate("""async () => {
      const { hear, speakRest } = await import('/static/js/agent_live.js');
      const holder = document.createElement('div');
      holder.id = 'live-t-1';
      holder.innerHTML = '<p data-role="text" data-length="0"></p>';
      const region = document.createElement('p');
      region.id = 'agent-says';
      document.body.append(holder, region);
      const parts = ['It rose by 150.00 EUR [D', '1:1.6, D2', ':1.6]. Rows [3] and', ' [a] stay [D2:1.'];
      let offset = 0;
      const said = [];
      for (const text of parts) {
        hear({ turn_id: 't', round: 1, role: 'text', offset, text });
        offset += text.length;
        said.push(region.textContent);
      }
      const shown = holder.textContent;
      speakRest(holder);
      const rest = region.textContent;
      const message = document.createElement('div');
      message.innerHTML = '<p>Kern.</p><p role="note"><strong>1 sentence without a source.</strong></p>';
      speakRest(holder, message);
      return [shown, said, rest, region.textContent];
    }""")
    shown = "It rose by 150.00 EUR. Rows [3] and [a] stay"
    assert heard == [
        shown,
        ["", "", "It rose by 150.00 EUR.", "It rose by 150.00 EUR."],
        REST,
        f"{REST} 1 sentence without a source.",
    ]
