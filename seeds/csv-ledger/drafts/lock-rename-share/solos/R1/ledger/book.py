"""The book itself."""

from ledger.booking import Booking
from ledger.money import format_amount


class LedgerError(Exception):
    """A booking or a line that the book refuses."""


class Book:
    """Bookings in the order in which they were posted."""

    def __init__(self):
        self._bookings = []
        self._overdrafts = {}
        self._locks = []

    def post(self, booking):
        """Add a booking, if its account is not locked."""
        if booking.account in self._locks:
            raise LedgerError(f"locked: {booking.account}")
        if booking.cents == 0:
            raise LedgerError("a booking needs an amount")
        if booking.cents < 0:
            self._check_funds(booking.account, -booking.cents)
        self._bookings.append(booking)

    def allow_overdraft(self, account, cents):
        """Let an account go down to that much below zero."""
        self._overdrafts[account] = cents

    def lock(self, account):
        """Let nothing be booked to an account."""
        self._locks.append(account)

    def unlock(self, account):
        """Take all locks off an account."""
        self._locks = [name for name in self._locks if name != account]

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

    def _check_funds(self, account, cents):
        there = self.balance(account)
        if cents > there + self._overdrafts.get(account, 0):
            raise LedgerError(f"{account} has only {format_amount(there)}")
