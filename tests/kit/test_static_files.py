"""Static files as they are collected: joined, under a name of their content, compressed."""

import json
import re
from copy import copy
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import RequestFactory

from accounts.views.failures import server_error
from documents.templatetags import frame
from kit.static_files.collecting import collect_changed

STYLE = 'a { background: url("../img/dot.svg"); } ' + "b { color: red; } " * 40
SCRIPT = "import { one } from './part.js';\nexport const two = one + 1;\n"


@pytest.fixture
def sources(tmp_path: Path, settings: Any) -> Path:
    """A folder of static files, from which the product would be served."""
    folder = tmp_path / "sources"
    texts = {"css/a.css": STYLE, "css/b.css": "c { }", "js/a.js": SCRIPT, "js/part.js": "export const one = 1;\n"}
    for name, text in {**texts, "img/dot.svg": "<svg/>"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_BUNDLES = {"css/page.joined.css": ("css/a.css", "css/b.css"), "js/page.joined.js": ("js/a.js",)}
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "kit.static_files.storage.JoinedFilesStorage"},
    }
    return folder


def list_collected(sources: Path) -> list[str]:
    root = sources.parent / "collected"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_a_bundle_has_the_hash_of_its_content_in_its_name_and_comes_compressed(sources: Path) -> None:
    assert collect_changed()
    address = staticfiles_storage.url("css/page.joined.css")
    file = sources.parent / "collected" / address.removeprefix("/static/")
    picture = Path(staticfiles_storage.url("img/dot.svg")).name
    assert file.name != "page.joined.css"
    assert file.read_text() == f"{STYLE}\nc {{ }}".replace("dot.svg", picture)
    assert brotli.decompress(file.with_name(f"{file.name}.br").read_bytes()) == file.read_bytes()
    assert file.with_name(f"{file.name}.gz").exists()


def test_what_was_joined_is_not_there_besides(sources: Path) -> None:
    collect_changed()
    assert [name for name in list_collected(sources) if name.startswith("js/") and name.endswith(".js")] == [
        staticfiles_storage.url("js/page.joined.js").removeprefix("/static/")
    ]
    assert "img/dot.svg" not in list_collected(sources)


def test_they_are_collected_once_until_a_source_changes(sources: Path) -> None:
    assert [collect_changed(), collect_changed()] == [True, False]
    before = list_collected(sources)
    (sources / "js/part.js").write_text("export const one = 11;\n")
    assert collect_changed()
    after = list_collected(sources)
    assert len(after) == len(before)
    assert after != before


def test_a_process_that_waited_for_another_one_reads_the_names_that_one_gave(sources: Path) -> None:
    assert collect_changed()
    old = staticfiles_storage.url("css/page.joined.css")
    (sources / "css" / "a.css").write_text("a { color: green }")
    waiting = copy(staticfiles_storage._wrapped)
    assert collect_changed()
    staticfiles_storage._wrapped = waiting
    assert staticfiles_storage.url("css/page.joined.css") == old
    assert not collect_changed()
    assert staticfiles_storage.url("css/page.joined.css") != old


def test_they_are_collected_anew_when_something_else_is_joined(sources: Path, settings: Any) -> None:
    collect_changed()
    settings.STATIC_BUNDLES = {"css/page.joined.css": ("css/b.css",)}
    assert collect_changed()


def test_a_collection_that_broke_off_is_made_again(sources: Path) -> None:
    collect_changed()
    (sources / "js/a.js").write_text("export default 1;\n")
    with pytest.raises(ValueError, match="cannot be joined"):
        collect_changed()
    (sources / "js/a.js").write_text(SCRIPT)
    assert collect_changed()
    assert "js/page.joined.js" in json.loads((sources.parent / "collected/staticfiles.json").read_text())["paths"]


def test_a_page_names_the_bundle_and_with_debug_its_sources(sources: Path, settings: Any) -> None:
    collect_changed()
    address = staticfiles_storage.url("css/page.joined.css")
    assert frame.styles("page") == f'<link rel="stylesheet" href="{address}">'
    assert frame.scripts("page").count("<script") == 1
    settings.DEBUG = True
    assert [part.partition('"')[0] for part in frame.styles("page").split('href="')[1:]] == [
        "/static/css/a.css",
        "/static/css/b.css",
    ]
    assert not collect_changed()


def test_the_page_of_a_failure_has_the_style_that_is_collected(
    sources: Path, settings: Any, rf: RequestFactory
) -> None:
    settings.STATIC_BUNDLES = {"css/frame.joined.css": ("css/a.css", "css/b.css"), "js/page.joined.js": ("js/a.js",)}
    collect_changed()
    addresses = re.findall(r'href="/static/([^"]+)"', server_error(rf.get("/")).text)
    assert len(addresses) == 1
    assert set(addresses) <= set(list_collected(sources))
