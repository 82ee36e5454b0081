"""The report stream, written inside the box. Each line is a seal, a blank and a JSON record.

A seal is SHA-256 over nonce, previous seal, record and nonce: reading the file does not teach how to forge it.
Everything used later is bound here, before code of the tree could replace it.
"""

import sys
from os import O_APPEND, O_CREAT, O_EXCL, O_WRONLY, environ, fdopen, getcwd, getpid, open as open_file, set_inheritable, unlink, write

ROOT = getcwd()
# Where the runner starts below the tree's root, with a slash at its end; ids are told from the root.
BELOW = environ.get("CSW_BELOW", "")
OF_TREE = [path for path in sys.path if path == "" or f"{path}/".startswith(f"{ROOT}/")]
# Until `let_tree_in` a module of the tree cannot stand in for one of the runner's own.
sys.path[:] = [path for path in sys.path if path not in OF_TREE]

import re
import unicodedata
from hashlib import sha256
from json import dumps
from os.path import exists, relpath

COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
BLANKS = re.compile(r"[\s\ufeff\x00-\x1f\x7f-\x9f]+")
HALVES = re.compile(r"[\ud800-\udfff]")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE | re.ASCII)
TIMED = re.compile(r"(?: \(\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|m|min)\))+$", re.ASCII)
TIMES = re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s)\b", re.ASCII)
WORST_FIRST = ("failed", "error", "unexpected-pass", "flaky", "expected-failure", "skipped", "passed")


def one_line(text):
    text = HALVES.sub("\ufffd", BLANKS.sub(" ", COLOURS.sub("", text)))
    return ADDRESS.sub("0x", unicodedata.normalize("NFC", text)).strip()


def id_of(text):
    """The rules of stages/test-reports/id.ts; one list of vectors tests both."""
    return TIMED.sub("", one_line(text))


def message_of(error, root=ROOT):
    """A message in one line that says the same in every run."""
    text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return TIMES.sub("<time>", one_line(text.replace(root + "/", "")))[:300]


def file_of(path, root=ROOT):
    return relpath(path, root)


def let_tree_in():
    """As `python3 -m` would have it: the work folder first, then the tree's part of PYTHONPATH."""
    sys.path[0:1] = [ROOT, *(path for path in OF_TREE if path not in ("", ROOT))]


def worst(statuses):
    return next((status for status in WORST_FIRST if status in statuses), "error")


def open_stream(path, runner, version):
    """Open the report, which lies at `path` only if a nonce does. The nonce is gone before anything else is loaded.

    Without a file there is a supervisor, who holds the report on descriptor 3 and gives the nonce on 4.
    """
    if not exists(path + ".nonce"):
        with fdopen(4, encoding="utf-8") as pipe:
            nonce = pipe.read()
        set_inheritable(3, False)
        return Stream(3, nonce, runner, version)
    with open(path + ".nonce", encoding="utf-8") as file:
        nonce = file.read()
    unlink(path + ".nonce")
    descriptor = open_file(path, O_APPEND | O_CREAT | O_EXCL | O_WRONLY, 0o600)
    return Stream(descriptor, nonce, runner, version)


class Stream:
    def __init__(self, descriptor, nonce, runner, version):
        process, state, seen = getpid(), {"n": 0, "seal": "", "results": 0}, set()

        def send(record):
            if getpid() != process:  # A child that a test forked must not report.
                return
            json = dumps({"n": state["n"], **record}, ensure_ascii=True)
            parts = "\n".join((nonce, state["seal"], json, nonce))
            state["n"] += 1
            state["seal"] = sha256(parts.encode()).hexdigest()
            write(descriptor, f"{state['seal']} {json}\n".encode())

        def unique(name):
            count, chosen = 1, name
            while chosen in seen:
                count += 1
                chosen = f"{name} #{count}"
            seen.add(chosen)
            return chosen

        def result(name, file, line, status, message):
            state["results"] += 1
            where = {"id": name, "file": BELOW + file if file else "", "line": line}
            send({"type": "result", **where, "status": status, "message": message})

        self.unique = lambda name: unique(id_of(BELOW + name))
        self.collect = lambda name: send({"type": "collect", "id": name})
        self.start = lambda name: send({"type": "start", "id": name})
        self.result = result
        self.end = lambda: send({"type": "end", "results": state["results"]})
        send({"type": "hello", "runner": runner, "version": version})
