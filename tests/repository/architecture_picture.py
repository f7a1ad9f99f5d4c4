"""`python -m tests.repository.architecture_picture` draws docs/architecture.svg: the layers, and five journeys through them.

The layers are those that import-linter holds (`pyproject.toml`); a journey is the packages that it enters, in order.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import accumulate

from tests.repository.counts import ROOT

PICTURE = ROOT / "docs/architecture.svg"
JOURNEYS = {
    "A file becomes text": (
        "documents.intake",
        "worker.tasks",
        "documents.reading",
        "reader",
        "documents.catalog",
        "documents.index",
    ),
    "Text becomes values": (
        "documents.extractions",
        "worker.tasks",
        "llm.money",
        "llm.client",
        "documents.locate",
        "documents.checks",
    ),
    "A message changes data": (
        "agent.turns",
        "worker.tasks",
        "llm.client",
        "agent.policy",
        "agent.cards",
        "agent.calls",
        "documents.definitions",
    ),
    "A question finds proof": (
        "agent.turns",
        "worker.tasks",
        "llm.client",
        "agent.tools",
        "documents.find",
        "agent.citations",
        "printed",
    ),
    "A program calls over MCP": (
        "docrouter.asgi",
        "agent.mcp",
        "accounts.services",
        "agent.turns",
        "agent.policy",
        "agent.calls",
        "documents.document_changes",
    ),
}
LEFT, COLUMN, HEAD, LINE, PADDING = 170, 206, 44, 26, 22
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .layer { font-weight: 600 } .head { font-weight: 600; font-size: 13px } .number { fill: #fff; font-size: 11px }
  .page { fill: #fff } .band { fill: #f6f8fa; stroke: #d1d9e0 } .way { stroke: #0969da; stroke-width: 2 } circle { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 } .band { fill: #161b22; stroke: #3d444d } .way { stroke: #4493f8 } circle { fill: #1f6feb }
    .number { fill: #fff }
  }
"""


def read_layers() -> list[list[str]]:
    """Packages by layer, from the top down. What only tells modules of one package apart is one layer here."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = [[name.strip().split(".")[0] for name in layer.split("|")] for layer in contracts[0]["layers"]]
    return [list(names) for names in dict.fromkeys(tuple(dict.fromkeys(layer)) for layer in layers)]


def draw() -> str:
    layers = read_layers()
    heights = [PADDING + LINE * max(1, *_count_stops(layer)) for layer in layers]
    tops = [HEAD, *(HEAD + height for height in accumulate(heights))]
    width = LEFT + COLUMN * len(JOURNEYS)
    bands = [_draw_band(layer, tops[row], heights[row], width) for row, layer in enumerate(layers)]
    ways = [_draw_journey(number, layers, tops) for number in range(len(JOURNEYS))]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tops[-1] + 2}" role="img">'
    title = "<title>The layers of DocRouter, and five journeys through them</title>"
    page = f'<rect class="page" width="{width}" height="{tops[-1] + 2}" rx="6"/>'
    return "\n".join([head, title, f"<style>{STYLE}</style>", page, *bands, *ways, "</svg>"]) + "\n"


def _count_stops(layer: list[str]) -> Iterator[int]:
    for stops in JOURNEYS.values():
        yield sum(stop.split(".")[0] in layer for stop in stops)


def _draw_band(layer: list[str], top: int, height: int, width: int) -> str:
    band = f'<rect class="band" x="1" y="{top}" width="{width - 2}" height="{height - 6}" rx="6"/>'
    return f'{band}<text class="layer" x="14" y="{top + PADDING + 3}">{" · ".join(layer)}</text>'


def _draw_journey(column: int, layers: list[list[str]], tops: list[int]) -> str:
    """Each stop lies in the band of its layer, below the earlier stops there."""
    title, stops = [*JOURNEYS.items()][column]
    left, used = LEFT + COLUMN * column, [0] * len(layers)
    heights, drawn = [], []
    for number, stop in enumerate(stops, start=1):
        row = find_row(stop, layers)
        heights.append(tops[row] + PADDING - 2 + LINE * used[row])
        used[row] += 1
        name = stop if len(layers[row]) > 1 else stop.partition(".")[2] or stop
        drawn.append(_draw_stop(number, name, left + 20, heights[-1]))
    way = f'<line class="way" x1="{left + 20}" x2="{left + 20}" y1="{min(heights)}" y2="{max(heights)}"/>'
    return "\n".join([f'<text class="head" x="{left + 9}" y="26">{title}</text>', way, *drawn])


def _draw_stop(number: int, name: str, x: int, y: int) -> str:
    circle = f'<circle cx="{x}" cy="{y}" r="10"/><text class="number" x="{x}" y="{y + 4}" text-anchor="middle">'
    return f'{circle}{number}</text><text x="{x + 17}" y="{y + 5}">{name}</text>'


def find_row(stop: str, layers: list[list[str]]) -> int:
    """Raises LookupError for a package that is gone, or that no layer names."""
    path = ROOT / stop.replace(".", "/")
    rows = [row for row, layer in enumerate(layers) if stop.split(".")[0] in layer]
    if not rows or not (path.is_dir() or path.with_suffix(".py").is_file()):
        raise LookupError(f"The picture of the architecture names {stop}, which is gone.")
    return rows[0]


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
