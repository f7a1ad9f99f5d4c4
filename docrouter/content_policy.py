"""Pages load from 'self' alone: no inline script, no inline style, no other origin."""

from csp.constants import NONE, SELF

DIRECTIVES = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:", "blob:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}
