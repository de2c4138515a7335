"""Speaks to a gateway through the official `openai` package, as its users do.

Usage: client.py BASE_URL TOKEN. Prints one line of JSON per check; the test reads them.
"""

import json
import sys

import openai

base, token = sys.argv[1:3]
client = openai.OpenAI(base_url=base, api_key=token, max_retries=0, timeout=20)


def tell(check, **facts):
    print(json.dumps({"check": check, **facts}), flush=True)


def said(text):
    return [{"role": "user", "content": text}]


model = client.models.list().data[0].id
tell("models", model=model)

whole = client.chat.completions.create(model=model, messages=said("echo hi there"))
choice = whole.choices[0]
tell("whole", text=choice.message.content, role=choice.message.role, reason=choice.finish_reason)

pieces, reasons = [], []
with client.chat.completions.create(
    model=model, messages=said("stream 12"), stream=True, stream_options={"include_usage": True}
) as stream:
    for chunk in stream:
        for part in chunk.choices:
            pieces.append(part.delta.content or "")
            reasons.append(part.finish_reason)
        usage = chunk.usage
tell(
    "stream",
    text="".join(pieces),
    pieces=len([piece for piece in pieces if piece]),
    reason=reasons[-1],
    usage=usage is not None,
)

history = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "one"},
    {"role": "user", "content": [{"type": "text", "text": "echo second"}]},
]
kept = client.chat.completions.with_raw_response.create(
    model=model, messages=history, extra_headers={"X-Angelia-Session": "kept"}
)
tell("history", text=kept.parse().choices[0].message.content)

keyed = {"Idempotency-Key": "order-17", "X-Angelia-Session": "keyed"}
answers = [
    client.chat.completions.with_raw_response.create(
        model=model, messages=said("echo once"), extra_headers=keyed
    )
    for _ in range(2)
]
tell(
    "idempotent",
    texts=[answer.parse().choices[0].message.content for answer in answers],
    rows=len({answer.headers["x-angelia-inbox-id"] for answer in answers}),
)


def refused(check, kind, call):
    try:
        call()
    except kind as error:
        tell(check, status=error.status_code)
    else:
        tell(check, status=None)


stranger = openai.OpenAI(base_url=base, api_key="wrong", max_retries=0)
refused("stranger", openai.AuthenticationError, lambda: stranger.models.list())
refused(
    "failed",
    openai.APIStatusError,
    lambda: client.chat.completions.create(model=model, messages=said("fail")),
)
refused(
    "nothing said",
    openai.BadRequestError,
    lambda: client.chat.completions.create(model=model, messages=[]),
)
