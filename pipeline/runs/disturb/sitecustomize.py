"""Loaded by every Python of a disturbed run. CSW_AHEAD: seconds that the clock is ahead. CSW_ORDER: unittest's order.

The types of datetime stay what they are: only their methods that read the clock are others. Monotonic clocks are left alone.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def tell(what):
    try:
        with open(os.environ["CSW_TOLD"], "a", encoding="utf-8") as file:
            file.write(what + "\n")
    except OSError:
        pass  # A test may have taken the folder away; the first process has told by then.


def load_next():
    """The sitecustomize that this one hides."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    others = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))


def shift_time(ahead):
    import time

    real = {name: getattr(time, name) for name in ("time", "time_ns", "gmtime", "localtime", "ctime", "strftime", "asctime")}
    time.time = lambda: real["time"]() + ahead
    time.time_ns = lambda: real["time_ns"]() + ahead * 10**9
    for name in ("gmtime", "localtime", "ctime"):
        setattr(time, name, lambda secs=None, *, of=real[name]: of(time.time() if secs is None else secs))
    time.asctime = lambda t=None: real["asctime"](time.localtime() if t is None else t)
    time.strftime = lambda form, t=None: real["strftime"](form, time.localtime() if t is None else t)
    clock, clock_ns = time.clock_gettime, time.clock_gettime_ns
    wall = time.CLOCK_REALTIME
    time.clock_gettime = lambda clk: clock(clk) + (ahead if clk == wall else 0)
    time.clock_gettime_ns = lambda clk: clock_ns(clk) + (ahead * 10**9 if clk == wall else 0)


def shift_datetime(ahead):
    import ctypes
    import datetime
    import gc
    import time

    delta = datetime.timedelta(seconds=ahead)
    utcnow = datetime.datetime.__dict__["utcnow"]

    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    def today(cls):
        return cls.fromtimestamp(time.time())

    methods = {
        datetime.datetime: {"now": now, "today": today, "utcnow": lambda cls: utcnow.__get__(None, cls)() + delta},
        datetime.date: {"today": today},
    }
    for kind, others in methods.items():
        # What a type of C shows of itself is a read-only view; the table behind it is what the view refers to.
        table = next(found for found in gc.get_referents(kind.__dict__) if isinstance(found, dict))
        for name, method in others.items():
            table[name] = classmethod(method)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
    return abs(datetime.datetime.now().timestamp() - time.time()) < 60


def reorder_unittest(order):
    import unittest
    from csw_order import place

    loader = unittest.TestLoader
    load = loader.loadTestsFromModule

    def compare(left, right):
        a, b = place(order, left), place(order, right)
        return (a > b) - (a < b)

    def load_in_order(self, module, *args, **kwargs):
        suite = load(self, module, *args, **kwargs)
        tests = getattr(suite, "_tests", None)
        if isinstance(tests, list):
            where = {id(test): at for at, test in enumerate(tests)}
            tests.sort(key=lambda test: -where[id(test)] if order == "reverse" else place(order, str(where[id(test)])))
        return suite

    loader.sortTestMethodsUsing = staticmethod(compare)
    loader.loadTestsFromModule = load_in_order


def main():
    load_next()
    ahead, order = os.environ.get("CSW_AHEAD"), os.environ.get("CSW_ORDER")
    if ahead is not None:
        shift_time(int(ahead))
        if shift_datetime(int(ahead)):
            tell("clock")
    if order is not None:
        if os.environ.get("CSW_RUNNER") == "unittest":
            reorder_unittest(order)
        tell("order")


main()
