"""The letters: faces that are shipped, and for signs they lack whatever face the system has."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

Face = Literal["regular", "bold", "mono", "other"]
Font = ImageFont.FreeTypeFont

FOLDER = Path(__file__).resolve().parent / "fonts"
FILES: dict[Face, str] = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf", "mono": "DejaVuSansMono.ttf"}
# Fonts for Chinese, Japanese and Korean, where a package of the system brought one.
SYSTEM_FILES = ("NotoSansCJK-Regular.ttc", "wqy-zenhei.ttc", "wqy-microhei.ttc", "DroidSansFallbackFull.ttf")
MEASURED_SIZE = 100
NO_CHARACTER = "\U0010ffff"


@lru_cache(maxsize=64)
def load_font(face: Face, size: float) -> Font:
    if face == "other":
        return ImageFont.truetype(find_system_file(), size, layout_engine=ImageFont.Layout.BASIC)
    # Basic: as wide as its letters one by one, which is how they are measured.
    return ImageFont.truetype(FOLDER / FILES[face], size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def find_system_file() -> str:
    """Empty where there is none."""
    for name in SYSTEM_FILES:
        try:
            ImageFont.truetype(name, MEASURED_SIZE)
        except OSError:
            continue
        return name
    return ""


@lru_cache(maxsize=20_000)
def choose_face(face: Face, character: str) -> Face:
    """The face itself unless it lacks the character and another one has it."""
    if character.isascii() or not find_system_file() or has_glyph(face, character):
        return face
    return "other" if has_glyph("other", character) else face


def has_glyph(face: Face, character: str) -> bool:
    font = load_font(face, MEASURED_SIZE)
    return bytes(font.getmask(character)) != bytes(font.getmask(NO_CHARACTER))


@lru_cache(maxsize=20_000)
def measure_character(face: Face, character: str) -> float:
    """Its width at size 1."""
    return load_font(choose_face(face, character), MEASURED_SIZE).getlength(character) / MEASURED_SIZE


def measure(text: str, face: Face, size: float) -> float:
    return sum(measure_character(face, character) for character in text) * size
