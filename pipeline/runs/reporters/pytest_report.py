"""Runs test files with pytest and reports each node id.

python3 pytest_report.py REPORT [ARGUMENT...] -- FILE...
"""

from report_stream import let_tree_in, message_of, open_stream, worst

import re
import sys

import pytest

BROKEN = (AssertionError, pytest.fail.Exception)
BROKEN_TEXT = ("AssertionError", "assert ", "Failed: ")


def file_of(nodeid):
    return nodeid.split("::")[0]


def crash_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return getattr(crash, "message", None) or str(report.longrepr or "")


def status_of(report):
    if hasattr(report, "wasxfail"):
        return "expected-failure" if report.skipped else "unexpected-pass"
    if report.failed and crash_of(report).startswith("[XPASS(strict)]"):
        return "unexpected-pass"
    if report.failed:
        # Workers of pytest-xdist know no exception here; the text has to do.
        guess = report.when == "call" and crash_of(report).startswith(BROKEN_TEXT)
        return "failed" if getattr(report, "is_assertion", guess) else "error"
    if report.outcome == "rerun":
        return "flaky"
    return "skipped" if report.skipped else "passed"


class Reporter:
    """One status per test from its set-up, call and tear-down."""

    def __init__(self, stream):
        self.stream, self.names, self.phases = stream, {}, {}

    def name(self, nodeid):
        if nodeid not in self.names:
            self.names[nodeid] = self.stream.unique(nodeid)
        return self.names[nodeid]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call):
        outcome = yield
        if call.excinfo is not None:
            report = outcome.get_result()
            report.is_assertion = call.when == "call" and isinstance(call.excinfo.value, BROKEN)
            report.reason = message_of(call.excinfo.value)

    def pytest_collection_finish(self, session):
        for item in session.items:
            self.stream.collect(self.name(item.nodeid))

    def pytest_collectreport(self, report):
        if report.failed:
            # The last line names the error; those before it show the way there.
            lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
            message = message_of(re.sub(r"^E\s+", "", lines[-1]) if lines else "")
            name = self.stream.unique(report.nodeid)
            self.stream.result(name, file_of(report.nodeid), None, "error", message)

    def pytest_runtest_logstart(self, nodeid):
        self.phases[nodeid] = []
        self.stream.start(self.name(nodeid))

    def pytest_runtest_logreport(self, report):
        message = getattr(report, "reason", None)
        if report.failed and message is None:
            message = message_of(crash_of(report))
        self.phases[report.nodeid].append((status_of(report), message))

    def pytest_runtest_logfinish(self, nodeid, location):
        phases = self.phases.pop(nodeid)
        message = next((text for _, text in phases if text is not None), None)
        line = None if location[1] is None or location[0] != file_of(nodeid) else location[1] + 1
        status = worst([status for status, _ in phases])
        self.stream.result(self.name(nodeid), file_of(nodeid), line, status, message)


def main():
    rest = sys.argv[2:]
    split = rest.index("--")
    stream = open_stream(sys.argv[1], "pytest", pytest.__version__)
    let_tree_in()
    # A file that cannot be imported must not keep the others from running.
    options = ["--rootdir=.", "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    # A sentinel fails in every file, and none may end the run.
    arguments = [*options, "--color=no", *rest[:split], "--maxfail=0", *rest[split + 1 :]]
    code = pytest.main(arguments, plugins=[Reporter(stream)])
    stream.end()
    sys.stdout.flush()
    sys.exit(int(code))


if __name__ == "__main__":
    main()
