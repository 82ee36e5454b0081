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
        self._locked = set()

    def post(self, booking):
        """Add a booking."""
        if booking.cents == 0:
            raise LedgerError("a booking needs an amount")
        if booking.account in self._locked:
            raise LedgerError(f"{booking.account} is locked")
        if booking.cents < 0:
            self._check_funds(booking.account, -booking.cents)
        self._bookings.append(booking)

    def allow_overdraft(self, account, cents):
        """Let an account go down to that much below zero."""
        self._overdrafts[account] = cents

    def lock(self, account):
        """Refuse all bookings to an account until it is unlocked."""
        self._locked.add(account)

    def unlock(self, account):
        """Let an account have bookings again."""
        self._locked.discard(account)

    def bookings(self, account=None):
        """All bookings, or those of one account."""
        return [b for b in self._bookings if account in (None, b.account)]

    def rename(self, old, new):
        """Give an account a new name, with all that belongs to it."""
        if new in self.accounts():
            raise LedgerError(f"{new} has bookings already")
        self._bookings = [replace(b, account=new) if b.account == old else b for b in self._bookings]
        if old in self._overdrafts:
            self.allow_overdraft(new, self._overdrafts.pop(old))
        self._locked = {new if name == old else name for name in self._locked}

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

    def share_out(self, day, source, targets):
        """Divide what an account holds among others, in whole cents; returns the share of each."""
        targets = [name for name in targets if name not in self._locked]
        share = max(self.balance(source), 0) // max(len(targets), 1)
        for target in targets if share else []:
            self.transfer(day, source, target, share, "share")
        return share if targets else 0

    def accounts(self):
        """Names of the accounts that have bookings, sorted."""
        return sorted({b.account for b in self._bookings})

    def _check_funds(self, account, cents):
        there = self.balance(account)
        if cents > there + self._overdrafts.get(account, 0):
            raise LedgerError(f"{account} has only {format_amount(there)}")
