"""The version, here alone: settings and pyproject.toml take it from here."""

VERSION = "0.1.0"
