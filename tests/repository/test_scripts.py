"""Every script of the pages can be read by an engine: one that cannot leaves its whole page without any."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.needs import first_on_path

ROOT = Path(__file__).resolve().parents[2]
# All in one process: starting one takes most of the time.
PARSE = """
const { readFileSync } = require('fs');
const { SourceTextModule } = require('vm');
for (const path of process.argv.slice(1)) {
    try { new SourceTextModule(readFileSync(path, 'utf8'), { identifier: path }); }
    catch (error) { console.log(error.stack.split('\\n').slice(0, 2).join(' ')); }
}
"""


@pytest.mark.skipif(first_on_path("node") is None, reason="Node.js is not installed.")
def test_every_script_can_be_parsed() -> None:
    scripts = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "static/js").glob("*.js"))]
    command = ["node", "--experimental-vm-modules", "--no-warnings", "-e", PARSE, *scripts]
    parsed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (parsed.stdout, len(scripts) > 40) == ("", True)
