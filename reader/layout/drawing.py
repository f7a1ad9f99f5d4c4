"""A set page as a picture."""

from PIL import Image, ImageDraw

from reader.failures import Unreadable
from reader.layout.fonts import choose_face, load_font, measure_character
from reader.layout.pictures import SetPicture, draw_picture
from reader.layout.set_pages import BASELINE, SetPage, SetWord

INK, GREY, RULE, SHADE = "black", "#787878", "#aaaaaa", "#f0f0f0"


def draw_page(page: SetPage, width: int) -> Image.Image:
    scale = width / page.width
    picture = Image.new("RGB" if page.pictures else "L", (width, max(1, round(page.height * scale))), "white")
    for placed in page.pictures:
        paste_picture(picture, placed, scale)
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


def paste_picture(picture: Image.Image, placed: SetPicture, scale: float) -> None:
    try:
        picture.paste(draw_picture(placed, scale), (round(placed.x * scale), round(placed.y * scale)))
    except Unreadable:
        # It breaks off; what stands around it is shown all the same.
        return


def draw_word(canvas: ImageDraw.ImageDraw, word: SetWord, scale: float) -> None:
    """Letter by letter where it was measured so: thus its letters fill the box of the word at every scale."""
    size, face, is_grey = word.style
    x, y = word.x, (word.y + BASELINE * size) * scale
    for character in word.text:
        font = load_font(choose_face(face, character), size * scale)
        canvas.text((x * scale, y), character, fill=GREY if is_grey else INK, font=font, anchor="ls")
        x += measure_character(face, character) * size
