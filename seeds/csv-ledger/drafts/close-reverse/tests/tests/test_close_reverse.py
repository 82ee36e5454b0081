import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking

# A method that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError)


def filled():
    book = Book()
    book.post(Booking("2025-01-20", "cash", 1000, "till", "a1"))
    book.post(Booking("2025-01-31", "cash", -300, "paper", "a2"))
    book.post(Booking("2025-02-03", "cash", 50, "till", "a3"))
    return book


class ReverseTest(unittest.TestCase):
    def test_posts_the_opposite_on_the_same_day(self):
        book = filled()
        with optional:
            book.reverse("a2")
        last = book.bookings()[-1]
        self.assertEqual((last.day, last.account, last.cents), ("2025-01-31", "cash", 300))
        self.assertEqual(book.balance("cash"), 1050)

    def test_says_in_the_memo_what_it_takes_back(self):
        book = filled()
        with optional:
            book.reverse("a2")
        self.assertEqual(book.bookings()[-1].memo, "reversal of a2")

    def test_refuses_a_ref_that_nobody_knows(self):
        book = filled()
        with self.assertRaises(LedgerError):
            with optional:
                book.reverse("a9")
        self.assertEqual(len(book.bookings()), 3)


class CloseTest(unittest.TestCase):
    def test_refuses_a_booking_on_a_closed_day(self):
        book = filled()
        with optional:
            book.close_until("2025-01-31")
        for day in ("2025-01-31", "2025-01-02"):
            with self.assertRaises(LedgerError):
                book.post(Booking(day, "cash", 100))
        self.assertEqual(book.balance("cash"), 750)

    def test_stays_closed(self):
        book = filled()
        with optional:
            book.close_until("2025-02-28")
            book.close_until("2025-01-31")
        with self.assertRaises(LedgerError):
            book.post(Booking("2025-02-15", "cash", 100))


class CloseAndReverseTest(unittest.TestCase):
    def reverse_after_closing(self, ref, day):
        book = filled()
        with optional:
            book.close_until(day)
        try:
            with optional:
                book.reverse(ref)
        except LedgerError as refusal:
            self.fail(f"the reversal was refused: {refusal}")
        return book

    def test_moves_a_reversal_out_of_the_closed_period(self):
        book = self.reverse_after_closing("a2", "2025-01-31")
        self.assertEqual(book.bookings()[-1].day, "2025-02-01")
        self.assertEqual(book.bookings()[-1].memo, "reversal of a2")
        self.assertEqual(book.balance("cash", until="2025-01-31"), 700)

    def test_counts_the_days_of_a_leap_year(self):
        book = self.reverse_after_closing("a2", "2028-02-28")
        self.assertEqual(book.bookings()[-1].day, "2028-02-29")


if __name__ == "__main__":
    unittest.main()
