"""A set page as a picture."""

from PIL import Image, ImageDraw

from documents.backends.reader.layout.fonts import choose_face, load_font, measure_character
from documents.backends.reader.layout.set_pages import BASELINE, SetPage, SetWord

INK, GREY, RULE, SHADE = 0, 120, 170, 240


def draw_page(page: SetPage, width: int) -> Image.Image:
    scale = width / page.width
    picture = Image.new("L", (width, max(1, round(page.height * scale))), 255)
    canvas = ImageDraw.Draw(picture)
    for rule in sorted(page.rules, key=lambda rule: not rule.is_shade):
        corners = [edge * scale for edge in rule[:4]]
        if rule.is_shade:
            canvas.rectangle(corners, fill=SHADE)
        else:
            canvas.line(corners, fill=RULE, width=max(1, round(scale * 0.6)))
    for word in page.words:
        draw_word(canvas, word, scale)
    return picture


def draw_word(canvas: ImageDraw.ImageDraw, word: SetWord, scale: float) -> None:
    """Letter by letter where it was measured so: thus its letters fill the box of the word at every scale."""
    size, face, is_grey = word.style
    x, y = word.x, (word.y + BASELINE * size) * scale
    for character in word.text:
        font = load_font(choose_face(face, character), size * scale)
        canvas.text((x * scale, y), character, fill=GREY if is_grey else INK, font=font, anchor="ls")
        x += measure_character(face, character) * size
