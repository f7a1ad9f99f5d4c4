"""Static files as browsers get them: joined, with a hash of their content in their name, and compressed beforehand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import brotli
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from kit.static_files.apps import NeededFilesConfig
from kit.static_files.joining import join_modules, join_styles

# Beside the manifest: what the collected files were made of.
STAMP = "sources.sha256"
# Out of 11. The best takes forty times as long for files a tenth smaller, and the first start waits for it.
BROTLI_QUALITY = 5


class QuickCompressor(Compressor):  # type: ignore[misc]  # whitenoise has no types
    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=BROTLI_QUALITY)
        return compressed


class JoinedFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """`settings.STATIC_BUNDLES` says what is joined: {name: the files it is made of}."""

    # The addresses that stylesheets name. The source maps that some files name besides are left out.
    patterns = (("*.css", (r"""(?P<matched>url\(['"]{0,1}\s*(?P<url>.*?)["']{0,1}\))""",)),)
    keep_only_hashed_files = True

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: object
    ) -> Iterator[tuple[str, str, bool]]:
        if dry_run:
            return
        read_names: set[str] = set()

        def read(name: str) -> str:
            read_names.add(name)
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode("utf-8"))

        for bundle, names in settings.STATIC_BUNDLES.items():
            text = (join_modules if bundle.endswith(".js") else join_styles)(names, read)
            self.delete(bundle)
            self._save(bundle, ContentFile(text.encode("utf-8")))
        self.delete_files(read_names)
        left = {name: place for name, place in paths.items() if name not in read_names}
        joined = {bundle: (self, bundle) for bundle in settings.STATIC_BUNDLES}
        yield from super().post_process(left | joined, dry_run, **options)
        (Path(self.location) / STAMP).write_text(stamp_sources())

    def create_compressor(self, **options: object) -> Compressor:
        return QuickCompressor(**options)


def stamp_sources() -> str:
    """Another one as soon as a source, or what is joined of them, is another one."""
    digest = hashlib.sha256(repr(settings.STATIC_BUNDLES).encode())
    for path, storage in list_sources():
        status = Path(storage.path(path)).stat()
        digest.update(f"{path} {status.st_size} {int(status.st_mtime)}\n".encode())
    return digest.hexdigest()


def list_sources() -> list[tuple[str, Storage]]:
    ignored = NeededFilesConfig.ignore_patterns
    files = [file for finder in finders.get_finders() for file in finder.list(ignored)]
    return sorted(files, key=lambda file: str(file[0]))
