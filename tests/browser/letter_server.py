"""An outside MCP server by command: `python letter_server.py FILE`. It describes its one tool by what FILE holds."""

import json
import sys
from pathlib import Path

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def answer(method: str) -> object:
    if method == "initialize":
        info = {"name": "letters", "version": "1"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [{"name": "send", "description": Path(sys.argv[1]).read_text(), "inputSchema": TEXT}]}
    return {"content": [{"type": "text", "text": "sent"}]} if method == "tools/call" else None


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"])
        body = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}), flush=True)
