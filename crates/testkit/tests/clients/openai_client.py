"""Asks a fake model through the official `openai` package.

Usage: openai_client.py BASE_URL. Prints one line of JSON per check; the test reads them.
"""

import json
import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1], api_key="any", max_retries=0, timeout=20)
tools = [
    {
        "type": "function",
        "function": {"name": "look", "parameters": {"type": "object", "properties": {}}},
    }
]


def tell(check, **facts):
    print(json.dumps({"check": check, **facts}), flush=True)


def asked(text, **more):
    messages = [{"role": "user", "content": text}]
    return client.chat.completions.create(model="fake-1", messages=messages, tools=tools, **more)


def calls_of(message):
    return [
        [call.id, call.function.name, json.loads(call.function.arguments)]
        for call in message.tool_calls or []
    ]


whole = asked("words")
tell(
    "whole",
    text=whole.choices[0].message.content,
    reason=whole.choices[0].finish_reason,
    tokens=[whole.usage.prompt_tokens, whole.usage.completion_tokens],
    cached=whole.usage.prompt_tokens_details.cached_tokens,
)
whole = asked("tools")
tell("whole tools", calls=calls_of(whole.choices[0].message), reason=whole.choices[0].finish_reason)


def streamed(check, text):
    with client.chat.completions.stream(
        model="fake-1",
        messages=[{"role": "user", "content": text}],
        tools=tools,
        stream_options={"include_usage": True},
    ) as stream:
        pieces = [event.delta for event in stream if event.type == "content.delta" and event.delta]
        last = stream.get_final_completion()
    choice = last.choices[0]
    tell(
        check,
        text=choice.message.content,
        pieces=len(pieces),
        calls=calls_of(choice.message),
        reason=choice.finish_reason,
        tokens=last.usage and [last.usage.prompt_tokens, last.usage.completion_tokens],
    )


for text in ["words", "tools", "slow", "bare"]:
    streamed(text, text)

thoughts = ""
for chunk in asked("think", stream=True):
    for part in chunk.choices:
        thoughts += getattr(part.delta, "reasoning_content", None) or ""
tell("think", thoughts=thoughts)


def failing(check, call):
    try:
        call()
    except openai.APIStatusError as error:
        tell(
            check,
            status=error.status_code,
            after=error.response.headers.get("retry-after"),
            words="on purpose" in str(error),
        )
    except (openai.APIConnectionError, openai.APIError) as error:
        tell(check, kind=type(error).__name__)
    except Exception as error:  # The line is cut below the package.
        tell(check, kind=type(error).__name__)
    else:
        tell(check, kind=None)


failing("busy", lambda: asked("busy"))
failing("broken", lambda: asked("broken"))
failing("cut", lambda: list(asked("cut", stream=True)))
