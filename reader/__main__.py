"""`python -m reader PARENT`: serve requests on the socket that is its standard input."""

import os
import socket
import sys

from kit.json_types import JsonObject
from reader import frames
from reader.failures import Unreadable
from reader.requests import Reply, answer
from reader.sandbox.limits import confine


def main() -> None:
    channel = socket.socket(fileno=os.dup(0))
    # Whatever a library prints must not end up between the frames.
    os.dup2(2, 1)
    missing = confine(parent=int(sys.argv[1]))
    try:
        greeting: frames.Greeting = {"missing": missing}
        frames.send(channel, greeting)
        serve(channel)
    except frames.Closed:
        return


def serve(channel: socket.socket) -> None:
    while True:
        file = frames.receive_file(channel)
        try:
            request, _ = frames.receive(channel)
            header, body = reply_to(request, file)
        finally:
            os.close(file)
        frames.send(channel, header, body)


def reply_to(request: JsonObject, file: int) -> Reply:
    try:
        return answer(request, file)
    except Unreadable as error:
        return {"error": error.sentence, "kind": error.kind, "suspect": error.suspect, "code": error.code}, b""
    except MemoryError:
        return {"error": "The file needs more memory than reading may use.", "kind": "too_large", "suspect": True}, b""
    except Exception as error:  # noqa: BLE001 - the edge of the process: a strange file must not cost the reply
        sentence = f"The file could not be read: its content led to an unexpected {type(error).__name__}."
        return {"error": sentence, "kind": "invalid", "suspect": True}, b""


if __name__ == "__main__":
    main()
