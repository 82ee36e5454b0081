import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestRuns } from '../../../pipeline/runs/open.ts';
import { sandboxes } from '../../../pipeline/sandboxes/registry.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { realClock } from '../../support/real-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { keepTree, specFor } from '../../support/test-run.ts';

const { signal } = new AbortController();
const LOCK = 'package-lock.json';

/** A registry is a file here, always at one place; installing writes down what it says. */
const registry = join(tmpdir(), `csw-registry-${process.pid}`);
afterAll(() => rmSync(registry, { force: true }));

async function prepared(resolved: string, tree: Record<string, string> = {}) {
  writeFileSync(registry, resolved);
  const ledger = memoryLedger();
  const host = { PATH: '/usr/bin:/bin' };
  const sandbox = sandboxes.process({ run: 'prepare', cache: tempFolder(), host });
  const runs = openTestRuns({ sandbox, ledger, clock: realClock });
  const spec = specFor('node-test', { install: [['cp', registry, `{deps}/${LOCK}`]] });
  const answer = await runs.prepare(spec, keepTree(ledger, { 'src/a.js': '', ...tree }), signal);
  if (!answer.ready) throw new Error(answer.tail);
  return { ledger, sandbox, environment: answer.environment };
}

test('what was resolved without a lock is kept as a blob', async () => {
  const { environment, ledger } = await prepared('a@1');
  expect(environment.frozen).toEqual([{ path: LOCK, sha256: sha256('a@1') }]);
  expect(Buffer.from(ledger.get(sha256('a@1'))).toString()).toBe('a@1');
});

test('the same request with other versions is another environment', async () => {
  const [one, same, other] = [await prepared('a@1'), await prepared('a@1'), await prepared('a@2')];
  expect(same.environment.digest).toBe(one.environment.digest);
  expect(other.environment.digest).not.toBe(one.environment.digest);
});

test('the environment opens under the name that its versions gave it', async () => {
  const { environment, sandbox } = await prepared('a@1');
  const text = await sandbox.use(environment, signal, async (box) => {
    const cat = ['cat', `${box.deps}/${LOCK}`];
    return (await box.exec(cat, { timeoutMs: 5000 }, signal)).stdout;
  });
  expect(Buffer.from(text).toString()).toBe('a@1');
});

test('a lock that the tree has itself is no news', async () => {
  expect((await prepared('a@1', { [LOCK]: 'a@1' })).environment.frozen).toBeUndefined();
});

test.skipIf(existsSync('/usr/bin/go'))(
  'a missing program is told apart from a build that failed',
  async () => {
    const host = { PATH: '/nowhere' };
    const sandbox = sandboxes.process({ run: 'prepare', cache: tempFolder(), host });
    const preparing = sandbox.prepare(specFor('go-test', { language: 'go' }), [], signal);
    await expect(preparing).rejects.toMatchObject({
      code: 'toolchain-missing',
      message: expect.stringMatching(/^go in the process sandbox failed: .*Install it, or/),
    });
  },
);
