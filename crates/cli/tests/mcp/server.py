"""A small MCP server on the official Python library, over HTTP: `server.py PORT WORD`.

It lets in only who sends the word, and has one tool.
"""

import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

PORT, WORD = int(sys.argv[1]), sys.argv[2]
server = MCPServer("small")


@server.tool()
def twice(word: str) -> str:
    """Says a word twice."""
    return f"{word} {word}"


inside = server.streamable_http_app()


async def door(scope, receive, send):
    headers = dict(scope.get("headers", []))
    if scope["type"] == "http" and headers.get(b"authorization") != f"Bearer {WORD}".encode():
        await send({"type": "http.response.start", "status": 403, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await inside(scope, receive, send)


uvicorn.run(door, host="127.0.0.1", port=PORT, log_level="warning")
