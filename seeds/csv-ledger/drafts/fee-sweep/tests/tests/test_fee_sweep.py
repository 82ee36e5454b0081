import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking

# A method that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError)


def filled(cents):
    book = Book()
    book.post(Booking("2025-02-01", "cash", cents))
    return book


class FeeTest(unittest.TestCase):
    def setUp(self):
        self.book = filled(1000)
        with optional:
            self.book.set_fee("cash", 50)

    def test_takes_the_fee_with_a_withdrawal(self):
        self.book.post(Booking("2025-02-02", "cash", -200))
        self.assertEqual(self.book.balance("cash"), 750)
        self.assertEqual(self.book.balance("fees", until="2025-02-01"), 0)
        self.assertEqual(self.book.balance("fees", until="2025-02-02"), 50)

    def test_costs_nothing_to_bring_money(self):
        self.book.post(Booking("2025-02-02", "cash", 300))
        self.book.post(Booking("2025-02-03", "cash", -100))
        self.assertEqual(self.book.balance("cash"), 1150)
        self.assertEqual(self.book.balance("fees"), 50)

    def test_refuses_a_withdrawal_without_money_for_the_fee(self):
        with self.assertRaises(LedgerError):
            self.book.post(Booking("2025-02-02", "cash", -951))
        self.assertEqual(self.book.balance("cash"), 1000)
        self.assertEqual(self.book.balance("fees"), 0)


class SweepTest(unittest.TestCase):
    def test_moves_all_there_is(self):
        book = filled(1000)
        moved = None
        with optional:
            moved = book.sweep("2025-02-08", "cash", "bank")
        self.assertEqual(moved, 1000)
        self.assertEqual((book.balance("cash"), book.balance("bank")), (0, 1000))

    def test_does_nothing_when_there_is_nothing(self):
        book = filled(1000)
        book.allow_overdraft("cash", 500)
        book.post(Booking("2025-02-02", "cash", -1200))
        moved = None
        with optional:
            moved = book.sweep("2025-02-08", "cash", "bank")
        self.assertEqual(moved, 0)
        self.assertEqual(book.balance("cash"), -200)
        self.assertEqual(book.bookings("bank"), [])


class FeeAndSweepTest(unittest.TestCase):
    def sweep(self, book):
        with optional:
            book.set_fee("cash", 50)
        moved = None
        try:
            with optional:
                moved = book.sweep("2025-02-08", "cash", "bank")
        except LedgerError as refusal:
            self.fail(f"the sweep was refused: {refusal}")
        return moved

    def test_takes_the_fee_out_of_what_is_moved(self):
        book = filled(1000)
        self.assertEqual(self.sweep(book), 950)
        self.assertEqual([book.balance(name) for name in ("cash", "bank", "fees")], [0, 950, 50])

    def test_moves_nothing_when_only_the_fee_is_there(self):
        book = filled(50)
        self.assertEqual(self.sweep(book), 0)
        self.assertEqual(len(book.bookings()), 1)


if __name__ == "__main__":
    unittest.main()
