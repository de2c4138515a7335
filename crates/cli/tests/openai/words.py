"""Streams one answer of a gateway through the official `openai` package.

Usage: words.py BASE_URL TOKEN TEXT. Prints one line of JSON.
"""

import json
import sys

import openai

base, token, text = sys.argv[1:4]
client = openai.OpenAI(base_url=base, api_key=token, max_retries=0, timeout=30)
model = client.models.list().data[0].id
messages = [{"role": "user", "content": text}]
pieces, reason = [], None
with client.chat.completions.create(model=model, messages=messages, stream=True) as stream:
    for chunk in stream:
        for part in chunk.choices:
            pieces.append(part.delta.content or "")
            reason = part.finish_reason or reason
pieces = [piece for piece in pieces if piece]
print(json.dumps({"text": "".join(pieces), "pieces": len(pieces), "reason": reason}))
