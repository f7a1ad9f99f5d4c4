"""What lies in the repository."""

from __future__ import annotations

import subprocess

import pytest

from tests.product import ROOT

LINK = "120000"


def test_no_link_is_tracked() -> None:
    """A link to a folder that is ignored, such as an environment, would replace that folder where it is checked out."""
    if not (ROOT / ".git").exists():
        pytest.skip("This is no checkout.")
    staged = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not [line for line in staged.stdout.splitlines() if line.startswith(LINK)]
