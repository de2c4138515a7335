"""Asks a fake model through the official `anthropic` package.

Usage: anthropic_client.py BASE_URL. Prints one line of JSON per check; the test reads them.
"""

import json
import sys

import anthropic

base = sys.argv[1].removesuffix("/v1")
client = anthropic.Anthropic(base_url=base, api_key="any", max_retries=0, timeout=20)
tools = [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]


def tell(check, **facts):
    print(json.dumps({"check": check, **facts}), flush=True)


def request(text):
    return {
        "model": "fake-1",
        "max_tokens": 1000,
        "messages": [{"role": "user", "content": text}],
        "tools": tools,
    }


def facts(message, pieces=None):
    blocks = message.content
    return {
        "text": "".join(block.text for block in blocks if block.type == "text") or None,
        "calls": [[block.id, block.name, block.input] for block in blocks if block.type == "tool_use"],
        "thoughts": "".join(block.thinking for block in blocks if block.type == "thinking"),
        "sealed": all(block.signature for block in blocks if block.type == "thinking"),
        "reason": message.stop_reason,
        "tokens": [
            message.usage.input_tokens + (message.usage.cache_read_input_tokens or 0),
            message.usage.output_tokens,
        ],
        "cached": message.usage.cache_read_input_tokens,
        "pieces": pieces,
    }


for text in ["words", "tools", "think"]:
    tell("whole " + text, **facts(client.messages.create(**request(text))))

for text in ["words", "tools", "think", "slow", "bare"]:
    with client.messages.stream(**request(text)) as stream:
        pieces = len(list(stream.text_stream))
        tell(text, **facts(stream.get_final_message(), pieces))


def failing(check, call):
    try:
        call()
    except anthropic.APIStatusError as error:
        tell(
            check,
            status=error.status_code,
            after=error.response.headers.get("retry-after"),
            words="on purpose" in str(error),
        )
    except Exception as error:  # The line is cut below the package.
        tell(check, kind=type(error).__name__)
    else:
        tell(check, kind=None)


def cut():
    with client.messages.stream(**request("cut")) as stream:
        stream.get_final_message()


failing("busy", lambda: client.messages.create(**request("busy")))
failing("broken", lambda: client.messages.create(**request("broken")))
failing("cut", cut)
