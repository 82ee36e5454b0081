"""Amounts are whole cents, so that sums stay exact."""

import re

_AMOUNT = re.compile(r"(-?)(\d+)(?:\.(\d{1,2}))?")


def parse_amount(text):
    """Cents of a text such as `12`, `12.5` or `-0.05`."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not an amount: {text!r}")
    sign, whole, part = match.groups()
    cents = int(whole) * 100 + int((part or "").ljust(2, "0"))
    return -cents if sign else cents


def format_amount(cents, grouped=False):
    """The text of an amount, always with two digits after the point."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{part:02d}" if grouped else f"{sign}{whole}.{part:02d}"
