/** @module-tag bwrap */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, head, place } from '../../support/contract-verb.ts';

const id = 'tests/test_core.py > Core > test_slug';
const body = (line: string) =>
  `def slugify(text):\n    # BEGIN\n    ${line}\n    # END\n\n\ndef other():\n    return 1\n`;
const files = (line: string) => ({
  'slug/__init__.py': '# names\n',
  'slug/core.py': body(line),
  'tests/__init__.py': '# tests\n',
  'tests/test_core.py': `import unittest
from slug.core import slugify
class Core(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slugify("A b"), "a-b")
`,
});
const right = 'return text.lower().replace(" ", "-")';
const patch = `--- a/slug/core.py
+++ b/slug/core.py
@@ -1,4 +1,4 @@
 def slugify(text):
     # BEGIN
-    return text
+    ${right}
     # END
`;

const yaml = (wanted: string, more = '') => `${head}editable:
  - {file: slug/core.py, region: {start: "    # BEGIN", end: "    # END"}, region_kind: statements}
forbidden: {packs: [py/skip, py/exit]}
build:
  network: none
  env: {PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0"}
  report: {kind: unittest}
  commands: [{argv: [python3, "{reporter}", "{report}", tests/test_core.py], timeout_s: 20}]
  expect: {fail_to_pass: ["${wanted}"]}
${more}`;

async function lint(contract: string, line = 'return text', reference = patch) {
  const { file, tree, folder } = place(contract, files(line));
  const given = join(folder, 'reference.patch');
  writeFileSync(given, reference);
  const argv = ['lint', file, '--base', tree('b'), '--reference', given, '--build'];
  const { code, last } = await call([...argv, '--pin-base', '--json']);
  const findings = (last.findings ?? []) as { code: string; detail: string }[];
  return { code, findings: findings.map((one) => `${one.code} ${one.detail}`) };
}

describe('lint with builds', () => {
  test('a base that fails as declared, a reference that passes and controls in their class are clean', async () => {
    expect(await lint(yaml(id))).toEqual({ code: 0, findings: [] });
  });

  test('a base that passes leaves nothing to do', async () => {
    const same = patch
      .replace('-    return text\n', `-    ${right}\n`)
      .replace(`+    ${right}`, '+    return "a-b"');
    expect(await lint(yaml(id), right, same)).toEqual({
      code: 1,
      findings: ['contract.baseline-passes the base builds as it is'],
    });
  });

  test('a base that fails for another reason than the declared test is found', async () => {
    const { code, findings } = await lint(yaml(`${id}_of_old`));
    expect([code, findings[0]]).toEqual([
      1,
      expect.stringMatching(/^contract\.baseline-reason ".*_of_old" is absent on the base/u),
    ]);
  });

  test('a reference that does not build is found', async () => {
    const wrong = patch.replace(`+    ${right}`, '+    return text.lower()');
    const { code, findings } = await lint(yaml(id), 'return text', wrong);
    expect([code, findings]).toEqual([
      1,
      [expect.stringMatching(/^contract\.reference-failed build\.id-failed/u)],
    ]);
  });
});

describe('check with a build', () => {
  const check = async (contract: string, line: string, ...more: string[]) => {
    const { file, tree, folder } = place(contract, files('return text'));
    const proposal = join(folder, 'p.json');
    writeFileSync(proposal, JSON.stringify({ bodies: [{ region: 'r1', text: `    ${line}\n` }] }));
    const argv = ['check', file, '--base', tree('b'), '--proposal', proposal, '--build', ...more];
    return await call([...argv, '--pin-base', '--json']);
  };

  test('both predicates are told apart', async () => {
    expect(await check(yaml(id), right)).toMatchObject({
      code: 0,
      last: { verdict: 'conforms', build: { status: 'true' } },
    });
    expect(await check(yaml(id), 'return text.lower()')).toMatchObject({
      code: 1,
      last: {
        verdict: 'conforms',
        build: { status: 'false', reasons: [{ code: 'build.id-failed' }] },
      },
    });
    expect(await check(yaml(id), 'import os; os._exit(0)')).toMatchObject({
      code: 1,
      last: { verdict: 'violates', build: { status: 'not-run' } },
    });
    expect(await check(yaml(id, 'order: measure\n'), 'import os; os._exit(0)')).toMatchObject({
      code: 1,
      last: { verdict: 'violates', build: { status: 'false' } },
    });
  });

  test.each([
    ['  runs: [{name: gold, expect: {all: passed}}]\n', 'does not do "build.runs"'],
    ['  workdir: /elsewhere\n', 'build.workdir: /elsewhere'],
    ['  writable: [{path: out}, {path: out/a}]\n', 'nests writable folders'],
  ])(
    'a build that asks by %j for what is not done here is refused before it runs',
    async (more, words) => {
      const { code, err } = await check(yaml(id) + more, right);
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    },
  );

  test('hidden tests that are not at hand are a fault of the world, named', async () => {
    const overlay = `  overlay: [{path: tests/test_core.py, sha256: "sha256:${'1'.repeat(64)}"}]\n`;
    await expect(check(yaml(id) + overlay, right)).rejects.toThrow(
      'the bytes of the overlay\'s "tests/test_core.py" are not in the base or the candidate',
    );
  });
});
