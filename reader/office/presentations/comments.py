"""Comments on slides, with who wrote them: of PowerPoint before 2021 and since."""

from collections.abc import Iterator, Mapping

from reader.layout.blocks import Note, Paragraph
from reader.markup.safe_xml import Node
from reader.office.package import Package
from reader.office.words import join_text

MAX_COMMENTS = 1000


def read_authors(package: Package, relations: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Names by the ids that comments give."""
    parts = [part for kind, part in relations.values() if kind in ("commentAuthors", "authors")]
    roots = filter(None, map(package.parse_if_there, parts))
    return {author.get("id"): author.get("name") for root in roots for author in root.elements}


def list_comments(
    package: Package, relations: Mapping[str, tuple[str, str]], authors: Mapping[str, str]
) -> Iterator[Note | Paragraph]:
    for kind, part in relations.values():
        root = package.parse_if_there(part) if kind in ("comments", "comment") else None
        comments = [node for node in root.elements if node.kind == "cm"][:MAX_COMMENTS] if root else []
        if comments:
            yield Note("[comments]")
        yield from (Paragraph(line) for comment in comments for line in write_thread(comment, authors))


def write_thread(comment: Node, authors: Mapping[str, str]) -> Iterator[str]:
    """The comment, then what was answered."""
    for node in (comment, *comment.find_all("reply")):
        old, body = node.find("text"), node.find("txBody")
        text = old.own_text if old else " ".join(map(join_text, body.find_all("p"))) if body else ""
        author = authors.get(node.get("authorId"), "")
        if text.strip():
            yield f"[{author}] {text.strip()}" if author else text.strip()
