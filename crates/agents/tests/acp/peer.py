"""An agent that speaks the Agent Client Protocol and does what its prompts say.

Usage: peer.py FOLDER [resume | load | neither] [replays | straggles] [locked | guarded] [sees] [advertises | torn]

FOLDER keeps what outlives a process: what each conversation was told, and everything that was heard.
The last line of a prompt says what to do; see `act`.
"""

import json
import os
import sys
import threading
import time

FOLDER = sys.argv[1]
WAY_BACK = sys.argv[2] if len(sys.argv) > 2 else "resume"
REPLAYS = "replays" in sys.argv
STRAGGLES = "straggles" in sys.argv
SEES = "sees" in sys.argv
ADVERTISES = "advertises" in sys.argv
TORN = "torn" in sys.argv
GUARDED = "guarded" in sys.argv
LOCKED = "locked" in sys.argv
WAYS = [{"id": "key", "name": "Use a key"}, {"id": "browser", "name": "Use a browser"}]

writing = threading.Lock()
answers = {}
answered = threading.Condition()
cancelled = threading.Event()
asked = 0
signed_in = False
rest = ""


def put(*messages):
    """Says all of it in one piece: what is short comes at once or not at all."""
    lines = [json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages]
    with writing:
        sys.stdout.write("".join(lines))
        sys.stdout.flush()


def tear(whole, torn):
    """Says the first, and half of the second; the rest once there is a prompt."""
    global rest
    line = json.dumps({"jsonrpc": "2.0", **torn}) + "\n"
    half, rest = line[:40], line[40:]
    with writing:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **whole}) + "\n" + half)
        sys.stdout.flush()


def mend():
    global rest
    with writing:
        sys.stdout.write(rest)
        sys.stdout.flush()
    rest = ""


def updated(session, which, /, **more):
    told = {"sessionId": session, "update": {"sessionUpdate": which, **more}}
    return {"method": "session/update", "params": told}


def update(session, which, /, **more):
    put(updated(session, which, **more))


def said(session, text):
    return updated(session, "agent_message_chunk", content={"type": "text", "text": text})


def say(session, text):
    put(said(session, text))


def ask(method, params):
    """Asks the other side, and waits for the answer."""
    global asked
    asked += 1
    name = f"q{os.getpid()}-{asked}"
    put({"id": name, "method": method, "params": params})
    with answered:
        answered.wait_for(lambda: name in answers)
    return answers[name]


def note(name, text):
    with open(os.path.join(FOLDER, name), "a") as file:
        file.write(text + "\n")


def lines(name):
    path = os.path.join(FOLDER, name)
    return open(path).read().splitlines() if os.path.exists(path) else []


def once(name):
    """Whether this was not asked before, in any process."""
    if lines(name):
        return False
    note(name, "x")
    return True


OPTIONS = [
    {"optionId": "forever", "kind": "allow_always", "name": "Yes"},
    {"optionId": "no", "kind": "reject_once", "name": "No"},
    {"optionId": "now", "kind": "allow_once", "name": "Yes"},
]


def asks(session, calls):
    """Tells of a call piece by piece, and asks for permission with the last piece."""
    *told, last = calls
    for call in told:
        update(session, "tool_call_update", **call)
    answer = ask("session/request_permission", {"sessionId": session, "toolCall": last, "options": OPTIONS})
    picked = answer["result"]["outcome"].get("optionId", "cancelled")
    say(session, f"picked {picked}")


def permission(session, words):
    call = {"toolCallId": "c1", "title": words, "kind": "execute", "rawInput": {"command": words}}
    update(session, "tool_call", status="pending", **call)
    answer = ask("session/request_permission", {"sessionId": session, "toolCall": call, "options": OPTIONS})
    picked = answer["result"]["outcome"].get("optionId", "cancelled")
    status = "completed" if picked == "now" else "failed"
    update(session, "tool_call_update", toolCallId="c1", status=status, rawOutput="ran")
    say(session, f"picked {picked}")


def vague(session, words):
    """Asks about a call of which the request says nothing but its name."""
    call = {"toolCallId": "c1", "title": words, "kind": "edit", "rawInput": {"path": "/f"}}
    diff = {"type": "diff", "path": "/f", "oldText": "old", "newText": "new"}
    update(session, "tool_call", status="pending", content=[diff], **call)
    options = [{"optionId": "now", "kind": "allow_once", "name": "Yes"}]
    call = {"toolCallId": "c1", "rawInput": {}}
    ask("session/request_permission", {"sessionId": session, "toolCall": call, "options": options})
    say(session, "asked")


def rave(session):
    """What is no message, or none that anybody knows."""
    with writing:
        sys.stdout.write('Warning: no colours\n{"half": \n[1, 2]\n\x1b[31m{"id": 1}\x1b[0m\n')
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    sys.stderr.write("a complaint\n")
    update(session, "a_kind_of_tomorrow", content=[1, {"deep": None}])
    put({"method": "_something/else", "params": 7})
    put({"id": 999999, "result": "nobody asked"})
    put({"id": None, "error": {"code": -32700}})


def garbage(session):
    rave(session)
    answer = ask("session/an_unknown_wish", {})
    say(session, f"code {answer['error']['code']}")


def files(session, path):
    wrote = ask("fs/write_text_file", {"sessionId": session, "path": path, "content": "one\ntwo\n"})
    read = ask("fs/read_text_file", {"sessionId": session, "path": path, "line": 2})
    outside = ask("fs/read_text_file", {"sessionId": session, "path": "/etc/hostname"})
    text = read["result"]["content"].strip()
    say(session, f"wrote {'result' in wrote}, read {text}, outside {'error' in outside}")


def reach(session, path):
    """Reads a file and writes over it; what came of both."""
    read = ask("fs/read_text_file", {"sessionId": session, "path": path})
    wrote = ask("fs/write_text_file", {"sessionId": session, "path": path, "content": "mine"})
    heard = [answer.get("result", answer.get("error")) for answer in (read, wrote)]
    say(session, json.dumps(heard))


def missing(session, path):
    read = ask("fs/read_text_file", {"sessionId": session, "path": path})
    say(session, json.dumps(read["error"]))


def leave(session, count):
    """Begins commands, lets go of the first, and waits."""
    for number in range(count):
        made = ask("terminal/create", {"sessionId": session, "command": f"sleep {600 + number}"})
        if number == 0:
            ask("terminal/release", {"sessionId": session, "terminalId": made["result"]["terminalId"]})
    say(session, "waiting")


def terminals(session, plan):
    """Makes the requests of a plan, one after the other; the last terminal is meant unless one is named."""
    heard, terminal = [], None
    for method, params in plan:
        params = {"sessionId": session, **({"terminalId": terminal} if terminal else {}), **params}
        answer = ask(f"terminal/{method}", params)
        terminal = answer.get("result", {}).get("terminalId", terminal)
        heard.append(answer.get("result", answer.get("error")))
    say(session, json.dumps(heard))


def work(session):
    """Tools, a plan and thoughts, all of which are no part of the reply."""
    for words in ("hmm, ", "let me see"):
        update(session, "agent_thought_chunk", content={"type": "text", "text": words})
    update(session, "plan", entries=[{"content": "look", "status": "in_progress"}])
    say(session, "\n\nLooking.")
    call = {"toolCallId": "t1", "title": "ls", "kind": "execute"}
    update(session, "tool_call", status="pending", **call)
    update(session, "tool_call_update", toolCallId="t1", status="in_progress", rawInput={"command": "ls"})
    content = [{"type": "content", "content": {"type": "text", "text": "one line\n"}}]
    update(session, "tool_call_update", toolCallId="t1", status="in_progress", content=content)
    update(session, "tool_call_update", toolCallId="t1", status="completed", content=None, rawOutput="a b")
    update(session, "plan", entries=[{"content": "look", "status": "completed"}])
    update(session, "agent_thought_chunk", content={"type": "text", "text": "there it is"})
    say(session, "Found it.")


def toil(session, words):
    """Does something, of which the notes tell, and then says the words."""
    call = {"toolCallId": "t1", "title": "note", "kind": "execute", "rawInput": {"what": "deeds"}}
    update(session, "tool_call", status="in_progress", **call)
    note("deeds", "x")
    update(session, "tool_call_update", toolCallId="t1", status="completed", rawOutput="noted")
    say(session, words)


def act(session, words):
    """Does what was asked for; the reason why it stopped."""
    verb, _, rest = words.partition(" ")
    if words == "Reply with the word OK and nothing else.":
        say(session, "OK")
    elif verb == "say":
        say(session, rest.partition(" ... ")[0])
    elif verb == "speak":
        for word in rest.split(" "):
            say(session, word + " ")
    elif verb == "rave":
        say(session, rest)
        rave(session)
    elif verb == "stall":
        say(session, rest)
        threading.Event().wait()
    elif verb == "count":
        for number in range(1, int(rest) + 1):
            say(session, f"w{number} ")
            note("counted", str(number))
            time.sleep(0.02)
    elif verb == "die":
        say(session, "half ")
        if rest == "always" or once("died"):
            sys.stdout.flush()
            os._exit(3)
        say(session, "whole")
    elif verb == "hang":
        threading.Event().wait()
    elif verb == "wait":
        say(session, "waiting")
        cancelled.wait()
        return "cancelled"
    elif verb == "flood":
        for _ in range(int(rest)):
            say(session, "x" * 4096)
            if cancelled.is_set():
                return "cancelled"
    elif verb == "recall":
        say(session, " / ".join(lines(session)[:-1]))
    elif verb == "refuse":
        return "refusal"
    elif verb == "asks":
        asks(session, json.loads(rest))
    elif verb == "permission":
        permission(session, rest)
    elif verb == "garbage":
        garbage(session)
    elif verb == "variable":
        say(session, os.environ.get(rest, "(none)"))
    elif verb == "terminals":
        terminals(session, json.loads(rest))
    elif verb == "files":
        files(session, rest)
    elif verb == "missing":
        missing(session, rest)
    elif verb == "vague":
        vague(session, rest)
    elif verb == "leave":
        leave(session, int(rest))
    elif verb == "leave-and-wait":
        leave(session, int(rest))
        cancelled.wait()
        return "cancelled"
    elif verb == "mute":
        return None
    elif verb == "reach":
        reach(session, rest)
    elif verb == "work":
        work(session)
    elif verb == "toil":
        toil(session, rest)
    elif words == "/compact and wait":
        say(session, "waiting")
        cancelled.wait()
        return "cancelled"
    elif words == "/compact in vain":
        raise ValueError("it cannot")
    elif verb == "/compact":
        if rest != "silently":
            say(session, f"compacted {rest}")
    else:
        raise ValueError("what?")
    return "end_turn"


def prompt(name, params):
    session = params["sessionId"]
    blocks = params["prompt"]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    words = texts[-1].splitlines()[-1]
    note(session, words)
    note("prompts", " | ".join(texts).replace("\n", " "))
    note("blocks", " ".join(block["type"] for block in blocks))
    try:
        reason = act(session, words)
    except ValueError as why:
        put({"id": name, "error": {"code": -32603, "message": "Internal error", "data": {"details": str(why)}}})
        return
    usage = {"usage": {"inputTokens": 3, "outputTokens": 2}} if reason else {}
    late = words.partition(" ... ")[2]
    result = {"id": name, "result": {"stopReason": reason or "end_turn", **usage}}
    # What comes late comes in the same piece: nobody has to be quick to hear it.
    put(result, *([said(session, " " + late)] if late else []))
    note("answered", str(reason))


def back(name, params):
    session = params["sessionId"]
    if not lines(session):
        put({"id": name, "error": {"code": -32002, "message": "no such conversation"}})
        return
    early = replay(session) if REPLAYS else []
    late = replay(session) if STRAGGLES else []
    put(*early, {"id": name, "result": {}}, *late)


def replay(session):
    return [said(session, f"OLD {line} ") for line in lines(session)]


def sign_in(name, params):
    global signed_in
    signed_in = params["methodId"] == "key"
    if signed_in:
        put({"id": name, "result": {}})
    else:
        put({"id": name, "error": {"code": -32602, "message": "no such way"}})


def serve(message):
    name, method, params = message.get("id"), message.get("method"), message.get("params", {})
    note("methods", method)
    if method == "initialize":
        can = {"loadSession": WAY_BACK == "load"}
        can["promptCapabilities"] = {"image": SEES}
        can["sessionCapabilities"] = {"resume": {}} if WAY_BACK == "resume" else {}
        info = {"name": "peer", "title": "Scripted peer", "version": "1.0"}
        put({"id": name, "result": {"protocolVersion": 1, "agentCapabilities": can, "agentInfo": info,
            "authMethods": WAYS if LOCKED or GUARDED else []}})
    elif method == "authenticate":
        sign_in(name, params)
    elif method.startswith("session/") and name is not None and LOCKED and not signed_in:
        put({"id": name, "error": {"code": -32000, "message": "Authentication required"}})
    elif method == "session/new":
        session = f"s{len(lines('sessions')) + 1}"
        note("sessions", session)
        result = {"id": name, "result": {"sessionId": session}}
        commands = [{"name": "compact", "description": "Fewer words"}, {"name": "quiet", "description": "None"}]
        told = updated(session, "available_commands_update", availableCommands=commands)
        if TORN:
            tear(result, told)
        else:
            put(result, *([told] if ADVERTISES else []))
    elif method in ("session/resume", "session/load"):
        back(name, params)
    elif method == "session/prompt" and GUARDED and not signed_in:
        put({"id": name, "error": {"code": -32000, "message": "Authentication required"}})
    elif method == "session/prompt":
        cancelled.clear()
        mend()
        threading.Thread(target=prompt, args=(name, params), daemon=True).start()
    elif method == "session/cancel":
        cancelled.set()
    elif name is not None:
        put({"id": name, "error": {"code": -32601, "message": "unknown"}})


note("started", str(os.getpid()))
for line in sys.stdin:
    if not line.strip():
        continue
    message = json.loads(line)
    if "method" in message:
        serve(message)
    else:
        with answered:
            answers[message["id"]] = message
            answered.notify_all()
