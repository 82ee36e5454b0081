"""The book itself."""

from collections import Counter

from ledger.booking import Booking
from ledger.money import format_amount


class LedgerError(Exception):
    """A booking or a line that the book refuses."""


class Book:
    """Bookings in the order in which they were posted."""

    def __init__(self):
        self._bookings = []
        self._overdrafts = {}
        self._fees = Counter()

    def post(self, booking):
        """Add a booking."""
        if booking.cents == 0:
            raise LedgerError("a booking needs an amount")
        if booking.cents < 0:
            fee = self._fees[booking.account]
            self._check_funds(booking.account, fee - booking.cents)
            self._take_fee(booking, fee)
        self._bookings.append(booking)

    def allow_overdraft(self, account, cents):
        """Let an account go down to that much below zero."""
        self._overdrafts[account] = cents

    def set_fee(self, account, cents):
        """Let every withdrawal from an account cost a fee."""
        self._fees[account] = cents

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

    def sweep(self, day, source, target):
        """Move all that an account holds to another; returns how much it was."""
        cents = self.balance(source)
        if cents <= 0:
            return 0
        self.transfer(day, source, target, cents, "sweep")
        return cents

    def accounts(self):
        """Names of the accounts that have bookings, sorted."""
        return sorted({b.account for b in self._bookings})

    def _take_fee(self, booking, fee):
        if fee:
            self._bookings.append(Booking(booking.day, booking.account, -fee, "fee"))
            self._bookings.append(Booking(booking.day, "fees", fee, "fee"))

    def _check_funds(self, account, cents):
        there = self.balance(account)
        if cents > there + self._overdrafts.get(account, 0):
            raise LedgerError(f"{account} has only {format_amount(there)}")
