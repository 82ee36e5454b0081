"""Another order for tests: `reverse`, or the seed of a shuffle. A plug-in of pytest, and what unittest's order goes by.

Tests of one module, and in it of one class, stay together, so that what is set up for them is set up once.
"""

import os
from hashlib import sha256


def place(order, name):
    """What to sort by: a number that a seed and a name make, or the name's letters, last first."""
    if order == "reverse":
        return [-ord(letter) for letter in name] + [1]
    return list(sha256(f"{order} {name}".encode()).digest())


def pytest_collection_modifyitems(items):
    order = os.environ.get("CSW_ORDER")
    if order == "reverse":
        items.reverse()
    elif order is not None:
        parts = lambda item: item.nodeid.split("::")
        at = lambda item: (parts(item)[:1], parts(item)[:2], parts(item))
        items.sort(key=lambda item: [place(order, "::".join(group)) for group in at(item)])
