import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking
from ledger.imports import import_csv

# A method or an option that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError, TypeError)

HEADER = "day,account,amount,ref\n"


def strictly(book, text):
    try:
        with optional:
            return import_csv(book, text, strict=True)
    except LedgerError as refusal:
        return str(refusal)
    return None


class StrictTest(unittest.TestCase):
    def setUp(self):
        self.book = Book()
        self.book.post(Booking("2025-03-01", "cash", 300, "", "a1"))

    def test_refuses_a_ref_that_is_in_the_book(self):
        text = HEADER + "2025-03-02,cash,4,a2\n2025-03-01,cash,3,a1\n"
        self.assertIn("met again: ", str(strictly(self.book, text)))
        self.assertEqual(self.book.balance("cash"), 300)

    def test_accepts_a_ref_that_was_taken_back(self):
        with optional:
            self.book.take_back("a1")
        self.assertEqual(self.book.balance("cash"), 0)
        self.assertEqual(strictly(self.book, HEADER + "2025-03-01,cash,5,a1\n"), 1)


class TakeBackTest(unittest.TestCase):
    def test_removes_the_booking(self):
        book = Book()
        book.post(Booking("2025-03-01", "cash", 300, "", "a1"))
        with optional:
            book.take_back("a1")
        self.assertEqual(book.bookings(), [])


if __name__ == "__main__":
    unittest.main()
