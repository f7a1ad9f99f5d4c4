"""An outside MCP server by command that takes its time: `python outside_letters.py FILE` notes each letter in FILE."""

import json
import random
import sys
import time
from pathlib import Path

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
INFO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "l", "version": "1"}}
TOOLS = {"tools": [{"name": "send", "description": "Sends a letter.", "inputSchema": TEXT}]}


def send(arguments: dict[str, str]) -> object:
    with Path(sys.argv[1]).open("a") as file:
        file.write(f"{arguments['text']}\n")
    time.sleep(random.random() * 0.4)
    return {"content": [{"type": "text", "text": "sent"}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        method, params = message["method"], message.get("params") or {}
        result = (
            send(params["arguments"])
            if method == "tools/call"
            else {"initialize": INFO, "tools/list": TOOLS}.get(method)
        )
        body = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}), flush=True)
