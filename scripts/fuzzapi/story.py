"""Another account's life while the fuzzer runs: rooms, mail, uploads, tokens, each
with a word that only its owner may read. Every word and id is written to the file of
secrets before it is sent or as soon as it is known. The fuzzing account's own event
stream is read here as well; whatever of the secrets it shows goes to the findings."""

import json
import os
import secrets
import smtplib
import threading
import time
import urllib.request

URL = os.environ["FUZZ_URL"] + "/v1"
FILE = open(os.environ["FUZZ_SECRETS"], "a", buffering=1)
FINDINGS = open(os.environ["FUZZ_FINDINGS"], "a", buffering=1)
told = []


def tell(word):
    if word not in told:
        told.append(word)
        FILE.write(word + "\n")
    return word


def taint():
    return tell("taint" + secrets.token_hex(8))


def call(token, method, path, body=None, kind="application/json"):
    data = json.dumps(body).encode() if kind == "application/json" and body is not None else body
    request = urllib.request.Request(URL + path, data=data, method=method)
    request.add_header("Authorization", "Bearer " + os.environ[token])
    request.add_header("Idempotency-Key", secrets.token_hex(12))
    if data is not None:
        request.add_header("Content-Type", kind)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def post(room):
    blob = call("FUZZ_OTHER", "POST", "/blobs?name=" + taint() + ".txt", taint().encode(), "text/plain")
    message = call("FUZZ_OTHER", "POST", "/threads/%s/messages" % room, {"text": "a word: " + taint(), "attachments": [tell(blob["blob"])]})
    tell(message["id"])


def letter(to, word):
    host, port = os.environ["FUZZ_LMTP"].rsplit(":", 1)
    text = "From: %s <sender@example.net>\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@example.net>\r\n\r\n%s\r\n" % (word(), to, word(), word(), word())
    with smtplib.LMTP(host, int(port)) as door:
        door.sendmail(word() + "@example.net", [to], text)


def live():
    """One round, of a few requests."""
    room = call("FUZZ_OTHER", "POST", "/threads", {"kind": "room", "subject": taint(), "to": [{"address": "third@example.org"}], "message": {"text": taint()}})
    for one in [room["id"]] + [p["id"] for p in room["participants"]]:
        tell(one)
    post(room["id"])
    letter("other@example.org", taint)
    letter("fuzz@example.org", lambda: "plain" + secrets.token_hex(8))
    tell(call("FUZZ_OTHER", "POST", "/tokens", {"name": taint(), "scopes": ["read"]})["id"])
    for thread in call("FUZZ_OTHER", "GET", "/threads?limit=20")["data"]:
        tell(thread["id"])
        for message in call("FUZZ_OTHER", "GET", "/threads/%s/messages?limit=20" % thread["id"])["data"]:
            tell(message["id"])


def shared():
    """A room of the fuzzing account and a third, a letter, an upload: something to begin with."""
    room = call("FUZZ_THIRD", "POST", "/threads", {"kind": "room", "subject": "shared", "to": [{"address": "fuzz@example.org"}], "message": {"text": "hello"}})
    call("FUZZ_TOKEN", "POST", "/threads/%s/messages" % room["id"], {"text": "hello back"})


def stream():
    """Reads what the fuzzing account is told, again from the last event when cut."""
    last = "0.0"
    while True:
        request = urllib.request.Request(URL + "/events?since=0")
        request.add_header("Authorization", "Bearer " + os.environ["FUZZ_TOKEN"])
        request.add_header("Last-Event-ID", last)
        try:
            with urllib.request.urlopen(request, timeout=60) as events:
                for line in events:
                    if line.startswith(b"id: "):
                        last = line[4:].strip().decode()
                    for word in list(told):
                        if word.encode() in line:
                            FINDINGS.write("the event stream shows %s: %r\n" % (word, line[:300]))
        except OSError as e:
            print("event stream:", e, flush=True)
            time.sleep(1)


shared()
live()
threading.Thread(target=stream, daemon=True).start()
print("ready", flush=True)
while True:
    time.sleep(5)
    try:
        live()
    except OSError as e:
        print("story:", e, flush=True)
