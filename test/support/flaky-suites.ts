import type { Runner } from '../../schemas/environment.ts';

type Suite = { readonly tree: Readonly<Record<string, string>>; readonly files: readonly string[] };

/** A year that a test takes for granted until it is over. */
const soon = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;

const node: Suite = {
  tree: {
    'test/a.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert';
let warm = false;
test('sets up', () => { warm = true; });
test('steady', () => assert.equal(1, 1));
test('needs the one before', () => assert.ok(warm));
test('offer still open', () => assert.ok(Date.now() / 1000 < ${soon(30)}));
test('lucky', () => assert.ok(Math.random() < 0.5));
`,
  },
  files: ['test/a.test.mjs'],
};

const vitest: Suite = {
  tree: {
    'test/a.test.mjs': (node.tree['test/a.test.mjs'] ?? '').replace("'node:test'", "'vitest'"),
  },
  files: ['test/a.test.mjs'],
};

const unittest: Suite = {
  tree: {
    'test/test_a.py': `import datetime
import random
import time
import unittest

warm = False

class A(unittest.TestCase):
    def test_a_sets_up(self):
        global warm
        warm = True

    def test_b_steady(self):
        self.assertEqual(1, 1)

    def test_c_needs_the_one_before(self):
        self.assertTrue(warm)

    def test_d_offer_still_open(self):
        self.assertLess(time.time(), ${soon(30)})

    def test_e_date_still_open(self):
        self.assertLess(datetime.datetime.now().timestamp(), ${soon(30)})
        self.assertLess(datetime.date.today(), datetime.date.fromtimestamp(${soon(30)}))

    def test_f_lucky(self):
        self.assertLess(random.SystemRandom().random(), 0.5)
`,
  },
  files: ['test/test_a.py'],
};

/** Suites with a test of each kind that changes its verdict, and one that does not. */
export const flakySuites: Readonly<Partial<Record<Runner, Suite>>> = {
  'node-test': node,
  vitest,
  unittest,
  pytest: unittest,
};
