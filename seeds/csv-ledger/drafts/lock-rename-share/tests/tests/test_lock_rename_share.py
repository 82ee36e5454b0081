import unittest
from contextlib import suppress

from ledger.book import Book, LedgerError
from ledger.booking import Booking

# A method that is not there yet is passed over, so that assertions fail and the other tests still run.
optional = suppress(AttributeError)


def filled(cents=1000):
    book = Book()
    book.post(Booking("2025-02-01", "jar", cents))
    return book


def is_refused(book, account):
    try:
        book.post(Booking("2025-02-03", account, 5))
    except LedgerError:
        return True
    return False


def shared(case, book, *targets):
    share = None
    try:
        with optional:
            share = book.share_out("2025-02-02", "jar", list(targets))
    except LedgerError as refusal:
        case.fail(f"the shares were refused: {refusal}")
    return share


class LockTest(unittest.TestCase):
    def test_refuses_bookings_while_locked(self):
        book = filled()
        with optional:
            book.lock("jar")
        self.assertTrue(is_refused(book, "jar"))
        self.assertFalse(is_refused(book, "safe"))
        self.assertEqual(book.balance("jar"), 1000)

    def test_ends_with_unlock(self):
        book = filled()
        with optional:
            book.lock("jar")
        self.assertTrue(is_refused(book, "jar"))
        with optional:
            book.unlock("jar")
        self.assertFalse(is_refused(book, "jar"))


class RenameTest(unittest.TestCase):
    def test_moves_all_bookings(self):
        book = filled()
        book.post(Booking("2025-02-01", "safe", 20))
        with optional:
            book.rename("jar", "box")
        self.assertEqual(book.accounts(), ["box", "safe"])
        self.assertEqual(book.balance("box"), 1000)

    def test_moves_the_overdraft(self):
        book = filled()
        book.allow_overdraft("jar", 500)
        with optional:
            book.rename("jar", "box")
        with self.assertRaises(LedgerError):
            book.post(Booking("2025-02-02", "jar", -1))
        try:
            book.post(Booking("2025-02-02", "box", -1500))
        except LedgerError as refusal:
            self.fail(f"the overdraft is gone: {refusal}")

    def test_refuses_a_name_that_is_taken(self):
        book = filled()
        book.post(Booking("2025-02-01", "safe", 20))
        with self.assertRaises(LedgerError):
            with optional:
                book.rename("jar", "safe")
        self.assertEqual(book.accounts(), ["jar", "safe"])


class ShareTest(unittest.TestCase):
    def test_gives_every_target_the_same(self):
        book = filled()
        self.assertEqual(shared(self, book, "ann", "ben", "cleo"), 333)
        self.assertEqual([book.balance(name) for name in ("ann", "ben", "cleo", "jar")], [333, 333, 333, 1])

    def test_posts_nothing_for_less_than_a_cent(self):
        book = filled(2)
        self.assertEqual(shared(self, book, "ann", "ben", "cleo"), 0)
        self.assertEqual(book.accounts(), ["jar"])


class LockAndRenameTest(unittest.TestCase):
    def test_keeps_the_lock(self):
        book = filled()
        with optional:
            book.lock("jar")
        with optional:
            book.rename("jar", "box")
        self.assertTrue(is_refused(book, "box"))
        self.assertFalse(is_refused(book, "jar"))


class LockAndShareTest(unittest.TestCase):
    def test_passes_over_a_locked_target(self):
        book = filled()
        with optional:
            book.lock("ben")
        self.assertEqual(shared(self, book, "ann", "ben", "cleo"), 500)
        self.assertEqual([book.balance(name) for name in ("ann", "ben", "cleo", "jar")], [500, 0, 500, 0])

    def test_returns_nothing_when_all_are_locked(self):
        book = filled()
        with optional:
            book.lock("ann")
        self.assertEqual(shared(self, book, "ann"), 0)
        self.assertEqual(book.balance("jar"), 1000)


if __name__ == "__main__":
    unittest.main()
