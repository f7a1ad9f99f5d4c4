"""Two models of embeddings, scripted: between them every real one has its place.

`openai/letters` knows which letters follow each other and nothing of what they mean; `openai/matters` knows besides of
each text which of the MATTERS it is about, however that is worded.
"""

from __future__ import annotations

import re
import zlib

from benchmarks.growth.paraphrases import MATTERS
from tests.scripted_model import Json, Reply, ScriptedModel, embeds_all

LETTERS, KNOWING = "openai/letters", "openai/matters"
_NUMBERS, _WEIGHT = 512, 0.7
_PHRASES = {phrase.rstrip("."): at for at, matter in enumerate(MATTERS) for pair in matter for phrase in pair}


class ScriptedEmbeddings(ScriptedModel):
    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        is_knowing = body["model"] == KNOWING.removeprefix("openai/")
        return embeds_all(*(make_vector(text, is_knowing=is_knowing) for text in body["input"]))


def make_vector(text: str, *, is_knowing: bool) -> list[float]:
    """Counts of three letters in a row, of length 1; and the matter."""
    counts = [0.0] * _NUMBERS
    for word in re.findall(r"\w+", text.lower()):
        padded = f" {word} "
        for at in range(len(padded) - 2):
            counts[zlib.crc32(padded[at : at + 3].encode()) % _NUMBERS] += 1
    length = sum(count * count for count in counts) ** 0.5 or 1
    matters = [0.0] * len(MATTERS)
    if is_knowing:
        folded = " ".join(text.split())
        for phrase, matter in _PHRASES.items():
            matters[matter] = max(matters[matter], _WEIGHT * (phrase in folded))
    return [*(count / length for count in counts), *matters]
