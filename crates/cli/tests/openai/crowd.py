"""Holds many conversations with a gateway at once through the official `openai` package.

Usage: crowd.py BASE_URL TOKEN COUNT. Each asks twice in a conversation of its own, streamed the first time and whole the
second. Prints one line of JSON per conversation.
"""

import asyncio
import json
import sys

import openai

base, token, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
client = openai.AsyncOpenAI(base_url=base, api_key=token, max_retries=0, timeout=60)


async def streamed(model, messages, headers):
    pieces, reason = [], None
    stream = await client.chat.completions.create(
        model=model, messages=messages, stream=True, extra_headers=headers
    )
    async for chunk in stream:
        for part in chunk.choices:
            pieces.append(part.delta.content or "")
            reason = part.finish_reason or reason
    return "".join(pieces), reason


async def talk(model, number):
    headers = {"X-Angelia-Session": f"crowd-{number}"}
    said = [{"role": "user", "content": f"tell word-{number}-first"}]
    first, reason = await streamed(model, said, headers)
    said = [{"role": "user", "content": f"tell word-{number}-second"}]
    whole = await client.chat.completions.create(
        model=model, messages=said, extra_headers=headers
    )
    second = whole.choices[0].message.content
    print(json.dumps({"number": number, "first": first, "reason": reason, "second": second}), flush=True)


async def main():
    model = (await client.models.list()).data[0].id
    await asyncio.gather(*(talk(model, number) for number in range(count)))


asyncio.run(main())
