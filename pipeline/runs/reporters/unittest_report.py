"""Runs test files with unittest and reports each test.

python3 unittest_report.py REPORT FILE...
"""

from report_stream import file_of, let_tree_in, message_of, open_stream, worst

import importlib
import importlib.util
import os
import platform
import sys
import unittest


def line_of(test, file):
    """Where the test method is defined, its decorators included; None in another file."""
    method = getattr(type(test), getattr(test, "_testMethodName", ""), None)
    while hasattr(method, "__wrapped__"):
        method = method.__wrapped__
    code = getattr(method, "__code__", None)
    return code.co_firstlineno if code is not None and file_of(code.co_filename) == file else None


def title_of(test):
    method = getattr(test, "_testMethodName", None)
    return test.id() if method is None else f"{type(test).__qualname__} > {method}"


class Result(unittest.TestResult):
    """One status per test: its worst, an assertion of its own before what broke around it."""

    def __init__(self, stream):
        super().__init__()
        self.stream, self.file = stream, ""
        self.name, self.statuses, self.message, self.is_bad = None, [], None, False

    def startTest(self, test):
        super().startTest(test)
        self.name = self.stream.unique(f"{self.file} > {title_of(test)}")
        self.statuses, self.message = [], None
        self.stream.start(self.name)

    def stopTest(self, test):
        super().stopTest(test)
        if self.name is None:  # Python 3.12.1 stops skipped tests that it never started.
            return
        self.send(self.name, line_of(test, self.file), worst(self.statuses))
        self.name = None

    def send(self, name, line, status):
        self.is_bad = self.is_bad or status in ("failed", "error", "unexpected-pass")
        self.stream.result(name, self.file, line, status, self.message)
        self.message = None

    def note(self, test, status, error=None):
        self.message = self.message or (None if error is None else message_of(error))
        if self.name is not None:
            self.statuses.append(status)
        elif status != "passed":  # A class or module fixture, outside of any test.
            name = self.stream.unique(f"{self.file} > {title_of(test)}")
            self.send(name, line_of(test, self.file), status)

    def addSuccess(self, test):
        self.note(test, "passed")

    def addFailure(self, test, err):
        self.note(test, "failed", err[1])

    def addError(self, test, err):
        self.note(test, "error", err[1])

    def addSkip(self, test, reason):
        self.note(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        self.note(test, "expected-failure", err[1])

    def addUnexpectedSuccess(self, test):
        self.note(test, "unexpected-pass")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            is_assertion = issubclass(err[0], test.failureException)
            self.note(test, "failed" if is_assertion else "error", err[1])


def import_file(file):
    """Import as discovery does: the topmost folder without __init__.py becomes the first place to import from."""
    path = os.path.abspath(file)
    top, names = os.path.dirname(path), [os.path.splitext(os.path.basename(path))[0]]
    while os.path.exists(os.path.join(top, "__init__.py")):
        names.insert(0, os.path.basename(top))
        top = os.path.dirname(top)
    if top not in sys.path:
        sys.path.insert(0, top)
    name = ".".join(names)
    known = getattr(sys.modules.get(name), "__file__", None)
    if known is None or os.path.abspath(known) == path:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(f"{name}_{len(sys.modules)}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run_file(file, stream, result):
    result.file = file_of(file)
    try:
        suite = unittest.defaultTestLoader.loadTestsFromModule(import_file(file))
    except BaseException as error:  # SystemExit too: a file that leaves early has not passed.
        if isinstance(error, KeyboardInterrupt):
            raise
        result.message = message_of(error)
        result.send(stream.unique(result.file), None, "error")
        return
    suite.run(result)


def main():
    stream = open_stream(sys.argv[1], "unittest", platform.python_version())
    let_tree_in()
    result = Result(stream)
    for file in sys.argv[2:]:
        run_file(file, stream, result)
    stream.end()
    sys.stdout.flush()
    sys.exit(1 if result.is_bad else 0)


if __name__ == "__main__":
    main()
