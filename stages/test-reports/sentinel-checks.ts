/**
 * Checks that fail, by the matchers of each library; `a` is what they are called on. `x` and `y` are two different numbers. Node
 * reads the source of a file to word a bare `ok(false)`, which would take longer than all other checks together.
 */
export const nodeChecks = (x: number, y: number): Readonly<Record<string, string>> => ({
  ok: `a.ok(false, "${x}")`,
  equal: `a.equal(${x}, ${y})`,
  strictEqual: `a.strictEqual(${x}, ${y})`,
  notEqual: `a.notEqual(${x}, ${x})`,
  notStrictEqual: `a.notStrictEqual(${y}, ${y})`,
  deepEqual: `a.deepEqual([${x}], [${y}])`,
  deepStrictEqual: `a.deepStrictEqual({ v: ${x} }, { v: ${y} })`,
  notDeepEqual: `a.notDeepEqual([${x}], [${x}])`,
  notDeepStrictEqual: `a.notDeepStrictEqual([${y}], [${y}])`,
  throws: `a.throws(() => ${x})`,
  doesNotThrow: `a.doesNotThrow(() => { throw new Error("${y}"); })`,
  rejects: `a.rejects(async () => ${x})`,
  match: `a.match("${x}", /x${y}/)`,
  doesNotMatch: `a.doesNotMatch("${x}", /${x}/)`,
});

/** Under `assert/strict` a loose name stands for the strict function. */
export const kindOfCheck = (name: string): string => name.replace(/strict/iu, '').toLowerCase();

export const vitestChecks = (x: number, y: number) => [
  `a(${x}).toBe(${y})`,
  `a(${x}).not.toBe(${x})`,
  `a([${x}]).toEqual([${y}])`,
  `a({ v: ${x} }).toStrictEqual({ v: ${y} })`,
  `a({ v: ${x} }).toMatchObject({ v: ${y} })`,
  `a([${x}]).toContain(${y})`,
  `a([${x}]).toHaveLength(${y})`,
  'a(0).toBeTruthy()',
  `a(${x}).toBeFalsy()`,
  `a(() => ${x}).toThrow()`,
  `a("${x}").toMatch(/x${y}/)`,
  `a(${x}).toBeCloseTo(${x + 5})`,
  `a(${x}).to.equal(${y})`,
  `a(Promise.resolve(${x})).rejects.toThrow()`,
];

export const unittestChecks = (x: number, y: number) => [
  `self.assertEqual(${x}, ${y})`,
  `self.assertNotEqual(${x}, ${x})`,
  'self.assertTrue(0)',
  `self.assertFalse(${y + 1})`,
  `self.assertIs(${x}, None)`,
  `self.assertIsNone(${x})`,
  `self.assertIn(${x}, [${y}])`,
  `self.assertAlmostEqual(${x}, ${x + 5})`,
  `self.assertListEqual([${x}], [${y}])`,
  `self.assertDictEqual({"v": ${x}}, {"v": ${y}})`,
  'self.assertRaises(ValueError, int, "1")',
  `self.assertRegex("${x}", "x${y}")`,
  `self.assertGreater(${x}, ${x + 1})`,
];

/** jest has what vitest has, but for the words of chai. */
export const jestChecks = (x: number, y: number) =>
  vitestChecks(x, y).filter((check) => !check.includes('.to.'));

/** What `assert` of node and of chai both know. */
export const assertChecks = (x: number, y: number) => [
  'a.ok(false)',
  `a.equal(${x}, ${y})`,
  `a.notEqual(${x}, ${x})`,
  `a.strictEqual(${x}, ${y})`,
  `a.deepEqual([${x}], [${y}])`,
  `a.throws(() => ${x})`,
];

/** `expect` of chai, or else of jest. */
export const expectChecks = (x: number, y: number) => [
  `(a(${x}).to ? a(${x}).to.equal(${y}) : a(${x}).toBe(${y}))`,
  `(a(${x}).to ? a([${x}]).to.deep.equal([${y}]) : a([${x}]).toEqual([${y}]))`,
  `(a(${x}).to ? a(0).to.be.ok : a(0).toBeTruthy())`,
  `(a(${x}).to ? a(() => ${x}).to.throw() : a(() => ${x}).toThrow())`,
];
