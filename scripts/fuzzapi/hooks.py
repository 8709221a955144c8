"""What schemathesis is told beside the document: real ids in place of made-up ones,
and one more check, that nothing of another account is in an answer."""

import os
import random
import re
import threading

import requests
import schemathesis

ID = re.compile(r"\b(thr|msg|par|blb|tok|acc|fld|lbl|dft|job|cmd)_[a-z2-7]{26}\b")
WHOLE = re.compile(r"^(thr|msg|par|blb|tok|acc|fld|lbl|dft|job|cmd)_[a-z2-7]{26}$")
SECRETS = os.environ["FUZZ_SECRETS"]
KEEP = set(os.environ["FUZZ_KEEP"].split())  # accounts and tokens that the run stands on
ADMIN = os.environ.get("FUZZ_ADMIN") == "yes"

lock = threading.Lock()
seen = {}  # under lock: ids of answers, by prefix
rooms = {}  # under lock: the thread that a participant was seen in
secrets = {"size": 0, "words": [], "ids": []}  # under lock: what story.py has told so far


def note(text, thread):
    with lock:
        for found in ID.finditer(text):
            if found.group(1) == "par" and thread:
                rooms[found.group()] = thread
            if found.group() in KEEP:
                continue
            ids = seen.setdefault(found.group(1), [])
            if found.group() not in ids:
                ids.append(found.group())
                del ids[:-400]


def told():
    """The words and ids that are another's alone, as of now."""
    with lock:
        size = os.path.getsize(SECRETS)
        if size != secrets["size"]:
            with open(SECRETS) as f:
                lines = f.read().splitlines()
            secrets["words"] = [x for x in lines if not WHOLE.match(x)]
            secrets["ids"] = [x for x in lines if WHOLE.match(x)]
            secrets["size"] = size
        return secrets["words"], secrets["ids"]


def borrowed(value):
    """A real id of the same kind, now and then somebody else's; or the value."""
    found = WHOLE.match(value) if isinstance(value, str) else None
    if not found:
        return value
    pick = random.Random(value)
    _, others = told()
    with lock:
        own = list(seen.get(found.group(1), []))
    others = [x for x in others if x.startswith(found.group(1) + "_")]
    if others and pick.random() < 0.15:
        return pick.choice(others)
    if own and pick.random() < 0.9:
        return own[-1 - min(int(pick.expovariate(0.1)), len(own) - 1)]
    return value


def replaced(value):
    if isinstance(value, dict):
        return {k: replaced(v) for k, v in value.items()}
    if isinstance(value, list):
        return [replaced(v) for v in value]
    return borrowed(value)


@schemathesis.hook
def before_call(context, case, kwargs):
    for place in ("path_parameters", "query", "headers"):
        values = getattr(case, place)
        for name in list(values or {}):
            if name != "Authorization":
                values[name] = borrowed(values[name])
    path, headers = case.path_parameters or {}, case.headers or {}
    with lock:
        if path.get("participant") in rooms:
            path["thread"] = rooms[path["participant"]]
    # A made-up ETag would end most changes at 412.
    tag = headers.get("If-Match")
    if isinstance(tag, str) and random.Random(tag).random() < 0.8:
        headers["If-Match"] = "*"
    # A revision that never comes costs five seconds: rarely, and else one that is here.
    at_least = (case.query or {}).get("at_least")
    if isinstance(at_least, int) and not isinstance(at_least, bool) and at_least > 0 and at_least % 50:
        case.query["at_least"] = 1
    if isinstance(case.body, (dict, list)):
        case.body = replaced(case.body)
    # Nobody saws at the branch that the run sits on.
    if case.operation.method.upper() == "DELETE" and path.get("account") == "me":
        path["account"] = "acc_" + 26 * "a"


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code < 300 and response.headers.get("content-type", [""])[0].startswith("application/json"):
        note(response.text, (case.path_parameters or {}).get("thread"))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """503 is right for a revision that has not come (code behind), and for nothing else.
    An answer to HEAD has no body to say so: GET is asked instead."""
    if response.status_code != 503 or "at_least" not in (case.query or {}):
        return True
    content = response.content
    if response.request.method == "HEAD":
        content = requests.get(response.request.url, headers=response.request.headers, timeout=30).content
    return b'"code":"behind"' not in content


@schemathesis.check
def nothing_of_others(ctx, response, case):
    if ADMIN:
        return
    words, ids = told()
    raw = response.content + repr(sorted(response.headers.items())).encode()
    for word in words:
        if word.encode() in raw:
            raise AssertionError("the answer has the word %s of another account" % word)
    mine = None
    for other in ids:
        if other.encode() in raw:
            mine = mine or asked(response)
            if other not in mine:  # a refusal may name what was asked for
                raise AssertionError("the answer names %s of another account" % other)


def asked(response):
    request = response.request
    body = request.body or b""
    return "%s %r %r" % (request.url, dict(request.headers), body)
