import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking
from ledger.imports import import_csv

# A method or an option that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError, TypeError)

HEADER = "day,account,amount,memo\n"


class AliasTest(unittest.TestCase):
    def setUp(self):
        self.book = Book()
        self.book.post(Booking("2025-03-01", "checking", 1000))
        with optional:
            self.book.alias("DE12", "checking")

    def test_posts_to_the_account(self):
        self.book.post(Booking("2025-03-02", "DE12", 400))
        self.assertEqual(self.book.balance("checking"), 1400)
        self.assertEqual(self.book.accounts(), ["checking"])

    def test_answers_for_the_account(self):
        self.assertEqual(self.book.balance("DE12"), 1000)
        self.assertEqual(len(self.book.bookings("DE12")), 1)

    def test_refuses_a_name_that_has_bookings(self):
        with self.assertRaises(LedgerError):
            with optional:
                self.book.alias("checking", "cash")
        self.assertEqual(self.book.balance("checking"), 1000)


class SkipEqualTest(unittest.TestCase):
    def test_skips_a_line_that_the_book_has(self):
        book = Book()
        book.post(Booking("2025-03-01", "cash", 300, "coffee", "till-7"))
        added = None
        with optional:
            added = import_csv(book, HEADER + "2025-03-01,cash,3,coffee\n2025-03-01,cash,3,tea\n", skip_equal=True)
        self.assertEqual(added, 1)
        self.assertEqual([b.memo for b in book.bookings()], ["coffee", "tea"])

    def test_keeps_equal_lines_of_one_text(self):
        book = Book()
        added = None
        with optional:
            added = import_csv(book, HEADER + "2025-03-01,cash,3,coffee\n" * 2, skip_equal=True)
        self.assertEqual(added, 2)


class AliasAndSkipEqualTest(unittest.TestCase):
    def test_compares_accounts_and_not_names(self):
        book = Book()
        book.post(Booking("2025-03-01", "checking", 300, "coffee"))
        with optional:
            book.alias("DE12", "checking")
        added = None
        with optional:
            added = import_csv(book, HEADER + "2025-03-01,DE12,3,coffee\n2025-03-02,DE12,4,tea\n", skip_equal=True)
        self.assertEqual(added, 1)
        self.assertEqual(book.balance("checking"), 700)

    def test_knows_a_file_that_was_imported_by_its_other_name(self):
        book = Book()
        with optional:
            book.alias("DE12", "checking")
        import_csv(book, HEADER + "2025-03-01,DE12,3,coffee\n2025-03-02,DE12,4,tea\n")
        with optional:
            import_csv(book, HEADER + "2025-03-01,checking,3,coffee\n", skip_equal=True)
            import_csv(book, HEADER + "2025-03-02,DE12,4,tea\n", skip_equal=True)
        self.assertEqual(book.balance("checking"), 700)


if __name__ == "__main__":
    unittest.main()
