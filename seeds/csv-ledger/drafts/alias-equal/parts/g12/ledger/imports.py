"""Bookings from CSV text."""

import csv
import io
from dataclasses import replace

from ledger.book import LedgerError
from ledger.booking import Booking
from ledger.money import parse_amount


def import_csv(book, text, skip_equal=False):
    """Post every line of a CSV text with column names; returns how many bookings were added. Known refs are skipped."""
    known = {b.ref for b in book.bookings()}
    before = {_facts_of(b) for b in book.bookings()}
    added = 0
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        booking = _booking_of(row, number)
        booking = replace(booking, account=book.account_of(booking.account))
        if booking.ref and booking.ref in known:
            continue
        if skip_equal and not booking.ref and _facts_of(booking) in before:
            continue
        book.post(booking)
        added += 1
    return added


def _facts_of(booking):
    return (booking.day, booking.account, booking.cents, booking.memo)


def _booking_of(row, number):
    try:
        cents = parse_amount(row["amount"] or "")
    except ValueError as problem:
        raise LedgerError(f"line {number}: {problem}") from None
    return Booking(row["day"], row["account"], cents, row.get("memo") or "", row.get("ref") or "")
