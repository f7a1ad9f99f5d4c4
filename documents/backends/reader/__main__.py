"""`python -m documents.backends.reader PARENT`: serve requests until the parent closes the pipe."""

import os
import sys
from typing import Any

from documents.backends.reader import frames
from documents.backends.reader.failures import Unreadable
from documents.backends.reader.limits import confine, grant_cpu_seconds
from documents.backends.reader.requests import Reply, answer


def main() -> None:
    confine(parent=int(sys.argv[1]))
    replies = os.dup(1)
    # Whatever a library prints must not end up between the frames.
    os.dup2(2, 1)
    try:
        serve(0, replies)
    except frames.Closed:
        return


def serve(requests: int, replies: int) -> None:
    while True:
        request, _ = frames.receive(requests)
        grant_cpu_seconds(request["seconds"])
        header, body = reply_to(request)
        frames.send(replies, header, body)


def reply_to(request: dict[str, Any]) -> Reply:
    try:
        return answer(request)
    except Unreadable as error:
        return {"error": error.sentence, "kind": error.kind, "suspect": error.suspect}, b""
    except MemoryError:
        return {"error": "The file needs more memory than reading may use.", "kind": "too_large", "suspect": True}, b""
    except Exception as error:  # noqa: BLE001 - the edge of the process: a strange file must not cost the reply
        sentence = f"The file could not be read: its content led to an unexpected {type(error).__name__}."
        return {"error": sentence, "kind": "invalid", "suspect": True}, b""


if __name__ == "__main__":
    main()
