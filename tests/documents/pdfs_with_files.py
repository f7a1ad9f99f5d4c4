"""PDFs that hold other files, in each of the ways that there are."""

import zlib

from tests.documents.reader_files import assemble, encrypt_object, encrypt_pdf, make_keys, text_at

# What begins with it is packed already.
ZLIB = b"\x78\xda"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] %s >>"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R %s >>"
TREE = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"


def attach(*files: tuple[bytes, bytes], catalog: bytes = b"") -> bytes:
    """In its list of files. Objects 4, 6 … describe them, those after hold them."""
    listed = b" ".join(b"(%d) %d 0 R" % (at, 4 + 2 * at) for at in range(len(files)))
    return make_pdf(files, catalog=b"/Names << /EmbeddedFiles << /Names [%s] >> >> %s" % (listed, catalog))


def clip(*files: tuple[bytes, bytes], page: bytes = b"") -> bytes:
    """As paper clips on the page."""
    clips = b" ".join(
        b"<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS %d 0 R >>" % (4 + 2 * at)
        for at in range(len(files))
    )
    return make_pdf(files, page=b"/Annots [%s] %s" % (clips, page))


def associate(*files: tuple[bytes, bytes]) -> bytes:
    return make_pdf(files, catalog=b"/AF [%s]" % b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(len(files))))


def make_pdf(files: tuple[tuple[bytes, bytes], ...], *, catalog: bytes = b"", page: bytes = b"") -> bytes:
    objects = [CATALOG % catalog, TREE, PAGE % page]
    for name, data in files:
        packed = data if data.startswith(ZLIB) else zlib.compress(data)
        spec = b"<< /Type /Filespec /F (%s) /EF << /F %d 0 R >> >>" % (name, len(objects) + 2)
        objects += [spec, make_embedded(packed)]
    return assemble(objects, b"")


def make_embedded(packed: bytes) -> bytes:
    head = b"/Type /EmbeddedFile /Filter /FlateDecode /Length %d" % len(packed)
    return b"<< %s >> stream\n%s\nendstream" % (head, packed)


def lock(name: bytes, data: bytes, password: str) -> bytes:
    """A PDF with the file that opens with the password alone. Its table is wrong, so objects are looked for."""
    _, key = make_keys(password)
    files = b"<< /EmbeddedFiles << /Names [(a) 20 0 R] >> >>"
    body = encrypt_object(key, 21, data)
    objects = b"20 0 obj\n<< /Type /Filespec /F <%s> /EF << /F 21 0 R >> >>\nendobj\n" % (
        encrypt_object(key, 20, name).hex().encode()
    )
    objects += b"21 0 obj\n<< /Type /EmbeddedFile /Length %d >> stream\n%s\nendstream\nendobj\n" % (len(body), body)
    whole = encrypt_pdf(text_at(20, 50, "The words of a locked page"), password)
    return whole.replace(b"/Type /Catalog", b"/Type /Catalog /Names %s" % files).replace(
        b"xref\n0", objects + b"xref\n0"
    )


def name_tree_in_a_loop() -> bytes:
    catalog = b"/Names << /EmbeddedFiles 6 0 R >>"
    objects = [CATALOG % catalog, TREE, PAGE % b"", b"<< /F (a.txt) /EF << /F 5 0 R >> >>"]
    return assemble([*objects, make_embedded(zlib.compress(b"a")), b"<< /Kids [6 0 R 6 0 R] >>"], b"")
