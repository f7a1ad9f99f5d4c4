"""Scripts and stylesheets joined into one file."""

import shutil
import subprocess

import pytest
from django.conf import settings

from kit.static_files.joining import CannotJoin, join_modules, join_styles
from tests.repository.counts import ROOT

BOTH = {
    "js/page.js": "import * as keys from './keys.js';\nimport { say as tell,\n  name } from './shell.js';\nimport './side.js';\n"
    "const own = 2;\nglobalThis.result = [keys.one, tell(own), name];\n",
    "js/shell.js": "import { one } from './keys.js';\nconst own = 1;\nexport const name = 'shell';\n"
    "export function say(it) { return own + it + one; }\n",
    "js/keys.js": "globalThis.times = (globalThis.times || 0) + 1;\nexport const one = 1;\n",
    "js/side.js": "globalThis.side = true;\n",
}


@pytest.mark.skipif(not shutil.which("node"), reason="Node.js runs what was joined")
def test_joined_modules_do_what_they_did_one_by_one() -> None:
    joined = join_modules(["js/page.js", "js/keys.js"], BOTH.__getitem__)
    shown = f"'use strict';{joined};console.log(JSON.stringify([result, times, side]))"
    done = subprocess.run(["node", "-e", shown], capture_output=True, text=True, check=True)
    assert done.stdout == '[[1,4,"shell"],1,true]\n'


def test_a_module_comes_once_and_after_what_it_imports() -> None:
    joined = join_modules(["js/page.js", "js/keys.js"], BOTH.__getitem__)
    order = [line.split()[1] for line in joined.splitlines() if line.startswith("const $")]
    assert order == ["$keys", "$shell", "$side", "$page"]
    assert "import" not in joined
    assert "export" not in joined


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;\n",
        "export { a };\n",
        "import a from './b.js';\n",
        "import './folder/b.js';\n",
        "const a = await import('./b.js');\n",
        "const a = import.meta.url;\n",
        "export let a = 1;\n",
    ],
)
def test_it_refuses_what_it_cannot_join(text: str) -> None:
    with pytest.raises(CannotJoin, match=r"js/a\.js"):
        join_modules(["js/a.js"], {"js/a.js": text}.__getitem__)


def test_it_refuses_modules_that_import_each_other() -> None:
    texts = {"js/a.js": "import './b.js';\n", "js/b.js": "import './a.js';\n"}
    with pytest.raises(CannotJoin, match=r"js/a\.js imports js/b\.js imports js/a\.js"):
        join_modules(["js/a.js"], texts.__getitem__)


def test_styles_follow_each_other_and_import_nothing() -> None:
    texts = {"css/a.css": "a { }", "css/b.css": "b { }", "css/c.css": "@import 'd.css';"}
    assert join_styles(["css/a.css", "css/b.css"], texts.__getitem__) == "a { }\nb { }"
    with pytest.raises(CannotJoin, match=r"css/c\.css"):
        join_styles(["css/a.css", "css/c.css"], texts.__getitem__)


@pytest.mark.parametrize("name", settings.STATIC_BUNDLES)
def test_every_bundle_can_be_joined(name: str) -> None:
    join = join_modules if name.endswith(".js") else join_styles
    assert join(settings.STATIC_BUNDLES[name], lambda part: (ROOT / "static" / part).read_text(encoding="utf-8"))
