"""Bookings from CSV text."""

import csv
import io

from ledger.book import LedgerError
from ledger.booking import Booking
from ledger.money import parse_amount


def import_csv(book, text, strict=False):
    """Post every line of a CSV text with column names; returns how many bookings were added. Known refs are skipped."""
    known = {b.ref for b in book.bookings()}
    added = 0
    rows = list(enumerate(csv.DictReader(io.StringIO(text)), start=2))
    bookings = [_booking_of(row, number) for number, row in rows]
    for booking in bookings if strict else []:
        if booking.ref and booking.ref in known:
            raise LedgerError("met again: " + booking.ref)
    for booking in bookings:
        if booking.ref and booking.ref in known:
            continue
        book.post(booking)
        added += 1
    return added


def _booking_of(row, number):
    try:
        cents = parse_amount(row["amount"] or "")
    except ValueError as problem:
        raise LedgerError(f"line {number}: {problem}") from None
    return Booking(row["day"], row["account"], cents, row.get("memo") or "", row.get("ref") or "")
