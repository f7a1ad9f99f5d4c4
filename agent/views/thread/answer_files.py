"""An answer with its sources as a file: Markdown, JSON, or a document for word processors."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from agent.conversation.sources import Source

FORMATS = {
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
NOTHING = "names no words of a document here: it proves nothing"
# ECMA-376, part 1: the parts that a document of paragraphs alone needs.
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_BEGIN = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
)
_MARKS = re.compile(r"\*\*|__|`")
_HEADING = re.compile(r"#{1,6}\s+")
_BULLET = re.compile(r"(\s*)[-*]\s+")


@dataclass(frozen=True)
class AnswerFile:
    """`answer` has [1] in place of block ids; `addresses` are those of the sources, by block id; `unsupported` the
    sentences without proof."""

    question: str
    answer: str
    asked_at: str
    thread_id: str
    sources: Sequence[Source]
    addresses: dict[str, str]
    unsupported: Sequence[str] = ()

    def write(self, form: str) -> bytes:
        """`form` is one of FORMATS."""
        return {"md": self._write_markdown, "json": self._write_json, "docx": self._write_docx}[form]()

    def _write_markdown(self) -> bytes:
        listed = [f"{source.number}. {self._describe(source)}" for source in self.sources]
        parts = [f"> {line}" for line in self.question.splitlines()]
        text = "\n\n".join(["\n".join(parts), self.answer, *(["## Sources", "\n".join(listed)] if listed else [])])
        return f"{_disarm(text)}\n".encode()

    def _write_json(self) -> bytes:
        body = {
            "question": self.question,
            "answer": self.answer,
            "asked_at": self.asked_at,
            "thread_id": self.thread_id,
            "unsupported": list(self.unsupported),
            "sources": [
                {
                    "number": source.number,
                    "block_id": source.block_id,
                    "page": source.page,
                    "document_id": source.document.pk if source.document else None,
                    "document_name": source.document.name if source.document else None,
                    "quote": source.quote,
                    "url": self.addresses.get(source.block_id),
                }
                for source in self.sources
            ],
        }
        return json.dumps(body, ensure_ascii=False, indent=2).encode()

    def _write_docx(self) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", _TYPES)
            archive.writestr("_rels/.rels", _RELATIONS)
            body = "".join(self._write_paragraphs())
            archive.writestr("word/document.xml", f"{_BEGIN}{body}</w:body></w:document>")
        return file.getvalue()

    def _write_paragraphs(self) -> Iterator[str]:
        yield from (_write_paragraph(line, is_bold=True) for line in self.question.splitlines())
        for line in self.answer.splitlines():
            plain = _BULLET.sub(r"\1• ", _MARKS.sub("", line), count=1)
            yield _write_paragraph(_HEADING.sub("", plain), is_bold=bool(_HEADING.match(plain)))
        if self.sources:
            yield _write_paragraph("Sources", is_bold=True)
        yield from (_write_paragraph(f"[{each.number}] {self._describe(each)}") for each in self.sources)

    def _describe(self, source: Source) -> str:
        if source.document is None:
            return NOTHING
        return f"{source.document.name}, page {source.page}: “{source.quote}” {self.addresses[source.block_id]}"


def _write_paragraph(text: str, *, is_bold: bool = False) -> str:
    style = "<w:rPr><w:b/></w:rPr>" if is_bold else ""
    return f'<w:p><w:r>{style}<w:t xml:space="preserve">{escape(_keep_printable(text))}</w:t></w:r></w:p>'


def _disarm(markdown: str) -> str:
    """As on the page, addresses are text and pictures are none: a document may have made the model write them."""
    return markdown.replace("<", "&lt;").replace("![", "!\\[").replace("](", "]\\(")


def _keep_printable(text: Iterable[str]) -> str:
    """XML 1.0 has no place for control characters and halves of a pair. A space of any kind stays one."""
    kept = (char if char.isprintable() or char == "\t" else " " if char.isspace() else "" for char in text)
    return "".join(kept)
