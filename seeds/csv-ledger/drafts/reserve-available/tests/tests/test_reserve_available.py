import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking

# A method that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError)


class ReserveTest(unittest.TestCase):
    def setUp(self):
        self.book = Book()
        self.book.post(Booking("2025-02-01", "cash", 1000))
        with optional:
            self.book.set_reserve("cash", 400)

    def withdraw(self, cents):
        try:
            self.book.post(Booking("2025-02-02", "cash", -cents))
        except LedgerError:
            return False
        return True

    def test_refuses_to_touch_the_reserve(self):
        self.assertFalse(self.withdraw(601))

    def test_allows_to_leave_exactly_the_reserve(self):
        self.assertTrue(self.withdraw(600))
        self.assertFalse(self.withdraw(1))

    def test_does_not_count_the_reserve_as_available(self):
        there = None
        with optional:
            there = self.book.available("cash")
        self.assertEqual(there, 600)


class AvailableTest(unittest.TestCase):
    def test_counts_balance_and_overdraft(self):
        book = Book()
        book.post(Booking("2025-02-01", "cash", 1000))
        book.allow_overdraft("cash", 200)
        there = None
        with optional:
            there = book.available("cash")
        self.assertEqual(there, 1200)


if __name__ == "__main__":
    unittest.main()
