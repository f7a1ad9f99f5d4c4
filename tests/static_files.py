"""Lists the static files once a process: every client of a test sets the middleware up anew, and looks at each file."""

from __future__ import annotations

from typing import Any, ClassVar

from whitenoise.middleware import WhiteNoiseMiddleware


class ListedOnceMiddleware(WhiteNoiseMiddleware):
    """A middleware of the tests' settings (tests/environment.py)."""

    _listed: ClassVar[dict[str, Any]] = {}

    def add_files_from_finders(self) -> None:
        if not self._listed:
            super().add_files_from_finders()
            self._listed.update(self.files)
        self.files.update(self._listed)
