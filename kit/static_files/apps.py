"""Static files of our libraries that are left out: nothing here shows them."""

from __future__ import annotations

from django.contrib.staticfiles.apps import StaticFilesConfig


class NeededFilesConfig(StaticFilesConfig):
    # The API's description is shown by one script and one stylesheet of Swagger UI; the framework's own pages are off.
    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        *("*.map", "redoc", "rest_framework", "swagger-ui-standalone-preset.js", "swagger-ui-es-*"),
    ]
