"""Pictures: PNG, JPEG, TIFF (a page a frame), WebP, GIF and BMP through Pillow."""

import struct
import warnings
from dataclasses import replace
from typing import BinaryIO

import numpy as np
from PIL import Image, UnidentifiedImageError

from reader.failures import OverLimit, Unreadable, make_damage_error
from reader.frames import EngineChoice
from reader.gaps import Gap
from reader.kinds import Kind
from reader.ocr.ink import SIDE, find_empty_page
from reader.ocr.page_recognition import recognize_page
from reader.pages import Limits, PageWords
from reader.sandbox.limits import budget

ORIENTATION = 0x0112
SIDEWAYS = range(5, 9)
BAND_ROWS = 500
# Its decoder keeps two pictures of its own besides ours.
MAX_WEBP_PIXELS = 40_000_000
# The longest side by the shortest: no picture of it that can be stored shows both.
MAX_SHAPE = 16_000
FORMATS: dict[Kind, list[str]] = {"jpeg": ["JPEG", "MPO"], "jp2": ["JPEG2000"], "heic": ["HEIF"]}
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# Our own check of each frame's size answers first, with a sentence; Pillow's is the second line.
warnings.simplefilter("error", Image.DecompressionBombWarning)


class ImageSource:
    def __init__(self, file: BinaryIO, kind: Kind, limits: Limits) -> None:
        # Some marks stand behind the pixels, so that even the size as shown needs all of them.
        budget.allow_drawing()
        Image.MAX_IMAGE_PIXELS = limits.max_pixels
        self.kind = kind
        try:
            # Only the decoder that the magic bytes name: no other parser sees the file. Not by its path, because Pillow
            # 13 would map plain TIFF data into memory and then scrambles those with an orientation mark.
            self.image = Image.open(file, formats=FORMATS.get(kind, [kind.upper()]))
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise OverLimit(f"The picture has more than {limits.max_pixels // 1_000_000} megapixels.") from error
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as error:
            raise make_damage_error(f"it starts like a {kind.upper()} picture, but is none") from error
        self.sizes = self.measure_frames(limits)
        self.gaps: list[Gap] = []

    def measure_frames(self, limits: Limits) -> list[tuple[float, float]]:
        sizes: list[tuple[float, float]] = []
        while self.kind == "tiff" or not sizes:
            try:
                self.image.seek(len(sizes))
            except EOFError:
                break
            except (OSError, ValueError, SyntaxError) as error:
                raise make_damage_error(f"page {len(sizes) + 1} of the picture cannot be found") from error
            if len(sizes) == limits.max_pages:
                raise OverLimit(f"The file has more than {limits.max_pages} pages.")
            sizes.append(self.check_size(limits))
        return sizes

    def check_size(self, limits: Limits) -> tuple[float, float]:
        width, height = self.image.size
        if not width or not height:
            raise Unreadable("The picture has no size.")
        if max(width, height) > MAX_SHAPE * min(width, height):
            raise OverLimit(
                f"The picture has {width:,} × {height:,} pixels. One side may be {MAX_SHAPE:,} times as long as the "
                "other. Cut it into parts."
            )
        maximum = min(limits.max_pixels, MAX_WEBP_PIXELS) if self.kind == "webp" else limits.max_pixels
        if width * height > maximum:
            millions = width * height // 1_000_000
            raise OverLimit(f"The picture has {millions} megapixels; the limit is {maximum // 1_000_000}.")
        # For TIFF, Pillow itself follows the mark: the size is already the shown one.
        turned = self.kind != "tiff" and read_orientation(self.image) in SIDEWAYS
        return (height, width) if turned else (width, height)

    def read(self, number: int, choice: EngineChoice) -> PageWords:
        # Handed on without a name of its own: it is let go as soon as there is a smaller one.
        recognized = recognize_page(self.open_frame(number))
        width, height = self.sizes[number - 1]
        if recognized.rotation in (90, 270):
            width, height = height, width
        page = PageWords(
            number, width, height, recognized.rotation, "rapidocr", recognized.confidence, recognized.words
        )
        gaps = find_empty_page(number, page.words, lambda: self.draw(number, SIDE))
        return replace(page, illegible=recognized.illegible, gaps=gaps)

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        return None

    def draw(self, number: int, width: int) -> Image.Image:
        picture = self.open_frame(number)
        height = max(1, round(picture.height * width / picture.width))
        return picture.resize((width, height), Image.Resampling.BICUBIC, reducing_gap=2.0)

    def open_frame(self, number: int) -> Image.Image:
        """Upright by its EXIF mark, without transparency, 8 bits a colour."""
        budget.allow_drawing()
        try:
            self.image.seek(number - 1)
            self.image.load()
        except (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, ZeroDivisionError) as error:
            raise make_damage_error("the picture is cut short or broken") from error
        turn = None if self.kind == "tiff" else UPRIGHT.get(read_orientation(self.image))
        picture = paint_on_white(self.image)
        return picture if turn is None else picture.transpose(turn)

    def close(self) -> None:
        self.image.close()


def read_orientation(image: Image.Image) -> int:
    """The EXIF mark, 1 to 8; 1 when there is none or it is broken, which is no reason to refuse the picture."""
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except (OSError, ValueError, SyntaxError, TypeError, KeyError, OverflowError, struct.error):
        return 1


def paint_on_white(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith(("I", "F")):
        return spread_tones(picture).convert("RGB")
    if picture.has_transparency_data:
        return remove_transparency(picture)
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def remove_transparency(picture: Image.Image) -> Image.Image:
    """In bands: each step on the way would be a copy as large as the picture."""
    result = Image.new("RGB", picture.size)
    for top in range(0, picture.height, BAND_ROWS):
        band = picture.crop((0, top, picture.width, min(top + BAND_ROWS, picture.height))).convert("RGBA")
        result.paste(Image.alpha_composite(Image.new("RGBA", band.size, "white"), band).convert("RGB"), (0, top))
    return result


def spread_tones(picture: Image.Image) -> Image.Image:
    """More than 8 bits a pixel, from the darkest to the lightest: Pillow would cut values off instead of scaling."""
    values = np.asarray(picture)
    low, high = float(values.min()), float(values.max())
    grey = np.full(values.shape, 255, np.uint8)
    if high > low:
        # Row by row: as numbers with a fraction the whole picture is eight times as large.
        for row, target in zip(values, grey, strict=True):
            target[:] = (row.astype(np.float64) - low) * (255 / (high - low))
    return Image.fromarray(grey)
