"""NOTICE names every package that an image ships and whose licence asks for more than its own text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
PERMISSIVE = re.compile(
    r"(MIT|BSD|ISC|Apache|PSF|Python Software Foundation|0BSD|Unlicense|Dual License|3-Clause)", re.I
)
CLAIMS_MORE = re.compile(r"GPL|MPL|Mozilla|GNU|EPL|CDDL|EUPL", re.I)


def installed() -> Iterator[Distribution]:
    """What requirements.txt installs on this machine."""
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"^([\w.-]+)==", lock, re.M))):
        try:
            yield distribution(name)
        except PackageNotFoundError:  # for another system or Python
            continue


def licence_of(package: Distribution) -> str:
    """Of an old package the words of its classifiers, or the first line of its licence."""
    fields = package.metadata
    if expression := fields.get("License-Expression"):
        return str(expression)
    classifiers = [line.split("::")[-1] for line in fields.get_all("Classifier") or [] if line.startswith("License")]
    return " ".join([*classifiers, (fields.get("License") or "").split("\n")[0]])


def is_permissive(licence: str) -> bool:
    return bool(PERMISSIVE.search(licence)) and not CLAIMS_MORE.search(licence)


def is_named(package: Distribution) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(package.name)}(?![\w-])", NOTICE, re.I) is not None


def brings_libraries(package: Distribution) -> bool:
    """Shared libraries of others, which a wheel keeps in a folder of their own."""
    return ".libs/" in (package.read_text("RECORD") or "")


def test_a_package_with_another_licence_is_named() -> None:
    missing = [f"{each.name} ({licence_of(each)})" for each in installed() if not is_permissive(licence_of(each))]
    missing = [line for line in missing if not is_named(distribution(line.split(" ")[0]))]
    assert not missing, f"NOTICE does not name {', '.join(missing)}."


def test_a_package_that_brings_libraries_of_others_is_named() -> None:
    missing = [each.name for each in installed() if brings_libraries(each) and not is_named(each)]
    assert not missing, f"NOTICE does not name {', '.join(missing)}, which brings shared libraries of others."


def test_it_tells_licences_apart() -> None:
    assert all(map(is_permissive, ("MIT", "MIT OR Apache-2.0", "BSD License", "0BSD")))
    assert not any(map(is_permissive, ("LGPL-3.0-only", "MPL-2.0 AND MIT", "Proprietary", "")))


def test_every_vendored_file_is_in_the_table() -> None:
    table = (ROOT / "static/vendor/VERSIONS.md").read_text(encoding="utf-8")
    files = [path.name for path in (ROOT / "static/vendor").iterdir() if path.name != "VERSIONS.md"]
    missing = [name for name in files if name not in table]
    assert not missing, f"static/vendor/VERSIONS.md does not name {', '.join(missing)}."
