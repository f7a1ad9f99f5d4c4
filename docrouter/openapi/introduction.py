"""The introduction to the description of /v0. The settings import it, so it imports nothing."""

INTRODUCTION = """\
Documents in, checked values out.

Ids are 24 lowercase hex characters, timestamps are UTC and end in `Z`, and every failure says in `detail` what is \
wrong. After a 503 with `Retry-After` send the same again: the database was busy.

Every answer has an `X-Request-Id`, its name in the log. `RateLimit-Limit`, `RateLimit-Remaining` and \
`RateLimit-Reset` (seconds) say how many requests are left; then 429 is the answer."""
