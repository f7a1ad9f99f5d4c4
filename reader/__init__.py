"""The reader: a process of its own that parses files nobody trusts.

It imports neither Django nor anything that does, answers one request at a time over a socket (see `frames`) and may be
killed at any moment. The parent's side is `reader.pool.readers`.
"""
