import unittest
from contextlib import suppress

from ledger.book import Book
from ledger.booking import Booking
from ledger.money import format_amount

# A method or an option that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError, TypeError)


class GroupedTest(unittest.TestCase):
    def test_puts_commas_before_every_three_digits(self):
        texts = None
        with optional:
            texts = [format_amount(cents, grouped=True) for cents in (123456700, -99999, 100000)]
        self.assertEqual(texts, ["1,234,567.00", "-999.99", "1,000.00"])


class LastDayTest(unittest.TestCase):
    def test_finds_the_latest_day(self):
        book = Book()
        book.post(Booking("2025-03-04", "cash", 100))
        book.post(Booking("2025-03-02", "cash", 100))
        found = []
        with optional:
            found = [book.last_day("cash"), book.last_day("bank")]
        self.assertEqual(found, ["2025-03-04", None])


if __name__ == "__main__":
    unittest.main()
