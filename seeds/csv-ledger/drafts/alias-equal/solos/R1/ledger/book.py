"""The book itself."""

from dataclasses import replace

from ledger.booking import Booking
from ledger.money import format_amount


class LedgerError(Exception):
    """A booking or a line that the book refuses."""


class Book:
    """Bookings in the order in which they were posted."""

    def __init__(self):
        self._bookings = []
        self._overdrafts = {}
        self._names = {}

    def post(self, booking):
        """Add a booking."""
        if booking.cents == 0:
            raise LedgerError("a booking needs an amount")
        if booking.cents < 0:
            self._check_funds(self._names.get(booking.account, booking.account), -booking.cents)
        self._bookings.append(replace(booking, account=self._names.get(booking.account, booking.account)))

    def allow_overdraft(self, account, cents):
        """Let an account go down to that much below zero."""
        self._overdrafts[account] = cents

    def alias(self, name, account):
        """Give an account a second name."""
        if name in self.accounts():
            raise LedgerError(f"{name} is an account")
        self._names[name] = account

    def bookings(self, account=None):
        """All bookings, or those of one account."""
        wanted = self._names.get(account, account)
        return [b for b in self._bookings if wanted in (None, b.account)]

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
