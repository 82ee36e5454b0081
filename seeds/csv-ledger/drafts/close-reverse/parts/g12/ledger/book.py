"""The book itself."""

from datetime import date, timedelta

from ledger.booking import Booking
from ledger.money import format_amount


class LedgerError(Exception):
    """A booking or a line that the book refuses."""


class Book:
    """Bookings in the order in which they were posted."""

    def __init__(self):
        self._bookings = []
        self._overdrafts = {}
        self._closed = ""

    def post(self, booking):
        """Add a booking."""
        if booking.cents == 0:
            raise LedgerError("a booking needs an amount")
        if booking.day <= self._closed:
            raise LedgerError(f"closed until {self._closed}")
        if booking.cents < 0:
            self._check_funds(booking.account, -booking.cents)
        self._bookings.append(booking)

    def allow_overdraft(self, account, cents):
        """Let an account go down to that much below zero."""
        self._overdrafts[account] = cents

    def close_until(self, day):
        """Let nothing be booked on that day or before it any more."""
        self._closed = max(self._closed, day)

    def _open_day(self, day):
        if day > self._closed:
            return day
        return (date.fromisoformat(self._closed) + timedelta(days=1)).isoformat()

    def bookings(self, account=None):
        """All bookings, or those of one account."""
        return [b for b in self._bookings if account in (None, b.account)]

    def balance(self, account, until=None):
        """Sum of an account's bookings, in cents; with `until` only of those up to that day."""
        counted = [b for b in self.bookings(account) if until is None or b.day <= until]
        return sum(b.cents for b in counted)

    def transfer(self, day, source, target, cents, memo=""):
        """Move money from one account to another."""
        if cents <= 0:
            raise LedgerError("a transfer needs a positive amount")
        self.post(Booking(day, source, -cents, memo))
        self.post(Booking(day, target, cents, memo))

    def accounts(self):
        """Names of the accounts that have bookings, sorted."""
        return sorted({b.account for b in self._bookings})

    def reverse(self, ref):
        """Post the opposite of the booking with a ref."""
        found = [b for b in self._bookings if b.ref == ref]
        if not found:
            raise LedgerError(f"no booking {ref}")
        original = found[0]
        self.post(Booking(self._open_day(original.day), original.account, -original.cents, f"reversal of {ref}"))

    def _check_funds(self, account, cents):
        there = self.balance(account)
        if cents > there + self._overdrafts.get(account, 0):
            raise LedgerError(f"{account} has only {format_amount(there)}")
