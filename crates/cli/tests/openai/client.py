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


response = client.responses.create(model=model, input="echo hi there", instructions="Be brief.")
tell("response", text=response.output_text, status=response.status, usage=response.usage.total_tokens)

events, pieces = [], []
with client.responses.create(model=model, input="stream 12", stream=True) as stream:
    for event in stream:
        events.append(event.type)
        if event.type == "response.output_text.delta":
            pieces.append(event.delta)
tell(
    "response stream",
    text="".join(pieces),
    pieces=len(pieces),
    events=list(dict.fromkeys(events)),
    whole=event.response.output_text,
)

with client.responses.stream(model=model, input="stream 3") as stream:
    tell("response helper", text=stream.get_final_response().output_text)

items = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "one"},
    {"role": "user", "content": [{"type": "input_text", "text": "echo second"}]},
]
second = client.responses.create(model=model, input=items, previous_response_id=response.id)
# What was answered goes back as it came, too.
third = client.responses.create(
    model=model, input=items + second.output + [{"role": "user", "content": "echo third"}]
)
tell(
    "response follows",
    texts=[second.output_text, third.output_text],
    previous=second.previous_response_id == response.id,
)

again = [
    client.responses.create(
        model=model, input="echo once", extra_headers={"Idempotency-Key": "order-18"}
    )
    for _ in range(2)
]
tell("response again", ids=len({one.id for one in again}), text=again[1].output_text)

with client.responses.create(model=model, input="fail", stream=True) as stream:
    last = list(stream)[-1]
tell("response failed", type=last.type, code=last.response.error.code)


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
refused(
    "response refused",
    openai.APIStatusError,
    lambda: client.responses.create(model=model, input="fail"),
)
refused(
    "response lost",
    openai.BadRequestError,
    lambda: client.responses.create(model=model, input="echo x", previous_response_id="resp_1"),
)
