"""Words out of a recognized line: the engine's pieces put together by the spaces of its text."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from reader.ocr.lines import OcrLine, OcrWord, Point

Piece = tuple[str, float, Sequence[Sequence[float]]]


def make_line(text: str, score: float, quad: list[Point], pieces: Iterable[Any]) -> OcrLine:
    tokens = text.split()
    words = join_pieces(tokens, [piece for piece in pieces if len(piece) == 3 and piece[2] is not None])
    return OcrLine(text, score, quad, words or split_by_length(tokens, score, quad))


def join_pieces(tokens: list[str], pieces: list[Piece]) -> list[OcrWord]:
    """The engine's pieces are words, or single characters in mixed scripts; nothing when they do not add up."""
    if "".join(tokens) != "".join("".join(text.split()) for text, _, _ in pieces):
        return []
    words, rest = [], iter(pieces)
    for token in tokens:
        used: list[Piece] = []
        while sum(len(text) for text, _, _ in used) < len(token):
            used.append(next(rest))
        if "".join(text for text, _, _ in used) != token:
            return []
        points = [point for _, _, quad in used for point in quad]
        words.append(OcrWord(token, make_box(points), sum(s for _, s, _ in used) / len(used)))
    return words


def split_by_length(tokens: list[str], score: float, quad: list[Point]) -> list[OcrWord]:
    """Each token gets its share of the line, as if all characters were equally wide."""
    length = sum(map(len, tokens)) + len(tokens) - 1
    starts = accumulate((len(token) + 1 for token in tokens[:-1]), initial=0)
    return [
        OcrWord(token, make_box(cut_part(quad, start / length, (start + len(token)) / length)), score)
        for token, start in zip(tokens, starts, strict=True)
    ]


def cut_part(quad: list[Point], start: float, end: float) -> list[Point]:
    top_left, top_right, bottom_right, bottom_left = quad
    edges = ((top_left, top_right), (bottom_left, bottom_right))
    return [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in edges for share in (start, end)]


def make_box(points: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    xs, ys = [float(p[0]) for p in points], [float(p[1]) for p in points]
    return min(xs), min(ys), max(xs), max(ys)
