"""Shows a gateway a picture through the official `openai` package, and then asks about it again.

Usage: pictures.py BASE_URL TOKEN DATA_URL. Prints one line of JSON per check.
"""

import json
import sys

import openai

base, token, picture = sys.argv[1:4]
client = openai.OpenAI(base_url=base, api_key=token, max_retries=0, timeout=30)


def tell(check, **facts):
    print(json.dumps({"check": check, **facts}), flush=True)


def shown(url, text):
    parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
    return {"role": "user", "content": parts}


session = {"X-Angelia-Session": "album"}
first = client.chat.completions.create(
    model="angelia", messages=[shown(picture, "what is it?")], extra_headers=session
)
tell("first", text=first.choices[0].message.content)
second = client.chat.completions.create(
    model="angelia", messages=[{"role": "user", "content": "and now?"}], extra_headers=session
)
tell("second", text=second.choices[0].message.content)

parts = [{"type": "input_text", "text": "what is it?"}, {"type": "input_image", "image_url": picture, "detail": "auto"}]
response = client.responses.create(model="angelia", input=[{"role": "user", "content": parts}])
tell("response", text=response.output_text)

for name, url in [("far", "https://example.org/a.png"), ("text", "data:text/plain,hi")]:
    try:
        client.chat.completions.create(model="angelia", messages=[shown(url, "look")])
        tell(name, status=200)
    except openai.APIStatusError as error:
        tell(name, status=error.status_code, code=error.code)
