import { describe, expect, test } from 'vitest';
import { change, code, codes, mine, thread } from '../support/mined.ts';

const good = 'take returns two tokens at once';
const start = { message: 'start', files: change(1) };

describe('an odd history gives a named rejection or a right seed', () => {
  test('a revert of a revert brings the change again, and is no new wish', async () => {
    const { seeds } = await mine([
      start,
      { message: good, files: change(2) },
      { message: `Revert "${good}"`, files: change(1) },
      { message: `Reapply "${good}"`, files: change(2) },
      { message: `Revert "Revert "${good}""`, files: change(3) },
    ]);
    expect(seeds.slice(0, 3).map((seed) => codes(seed)[0])).toEqual(['revert', 'revert', 'revert']);
    expect(codes(seeds[3])).toEqual([]);
  });

  test('a branch that was rebased and merged commit by commit gives a seed for each, tied to one pull request', async () => {
    const pull = thread(9, { kind: 'pull', state: 'merged', title: 'Take and wait at once' });
    const { seeds } = await mine(
      [
        start,
        { message: `${good} (#9)`, files: change(2) },
        { message: 'wait returns the time that is left (#9)', files: change(3) },
      ],
      [pull],
    );
    expect(seeds.slice(0, 2).map(({ threads, rejections }) => [threads, rejections])).toEqual([
      [[9], []],
      [[9], []],
    ]);
  });

  test('a pull request whose head was pushed over is found by what was merged', async () => {
    const commits = [start, { message: 'change', files: change(2) }];
    const head = (await mine(commits)).seeds[0]?.change.head ?? '';
    const pull = thread(4, {
      kind: 'pull',
      title: good,
      mergeCommit: head,
      headCommit: 'd'.repeat(40),
    });
    const [seed] = (await mine(commits, [pull])).seeds;
    expect([seed?.threads, codes(seed)]).toEqual([[4], []]);
  });

  test('pointers of LFS are not the sources that they stand for', async () => {
    const pointer = (oid: string) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${oid.repeat(64)}\nsize 1\n`;
    const { seeds } = await mine([
      { message: 'start', files: { 'src/a.ts': pointer('a'), 'test/a': '1' } },
      { message: good, files: { 'src/a.ts': pointer('b'), 'test/a': '2' } },
    ]);
    expect(codes(seeds[0])[0]).toBe('binary-only');
    expect(seeds[0]?.facts.addedLines).toBe(0);
  });

  test('binary files beside a source are left alone', async () => {
    const files = {
      ...change(2),
      'src/logo.ts': Buffer.from([0, 255]),
      'docs/a.png': Buffer.from([0]),
    };
    const [seed] = (await mine([start, { message: good, files }])).seeds;
    expect(codes(seed)).toEqual([]);
    expect(seed?.change.symbols).toContain('src/limit.ts#take');
  });

  test('paths that differ in case alone stay two', async () => {
    const { seeds } = await mine([
      {
        message: 'start',
        files: { 'src/A.ts': code('a', '1'), 'src/a.ts': code('b', '1'), 'test/a': '1' },
      },
      { message: good, files: { 'src/A.ts': code('a', '2'), 'test/a': '2' } },
    ]);
    expect(seeds[0]?.change.symbols).toEqual(['src/A.ts#a']);
    expect(codes(seeds[0])).toEqual([]);
  });

  test('a change of five thousand files is too large, and says by how much', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`src/f${at}.ts`, code(`f${at}`, '1')]),
    );
    const [seed] = (await mine([start, { message: good, files: { ...files, 'test/a': '1' } }]))
      .seeds;
    expect(codes(seed)[0]).toBe('too-large');
    expect(seed?.rejections[0]?.detail).toMatch(/5000 source files, at most/);
  });

  test('of a thread of ten megabytes the beginning is read', async () => {
    const body = `${'It must wait for a token. '.repeat(400_000)}It must never go below zero.`;
    const { seeds, docs } = await mine(
      [start, { message: `${good} (#5)`, files: change(2) }],
      [thread(5, { body })],
    );
    const [seed] = seeds;
    expect(seed?.threads).toEqual([5]);
    for (const { doc, start: from, end, quote } of seed?.statements ?? [])
      expect(docs.get(doc)?.slice(from, end)).toBe(quote);
  }, 60_000);

  test('threads that depend on each other in a circle come to an end', async () => {
    const { seeds } = await mine(
      [start, { message: `${good} (#5)`, files: change(2) }],
      [
        thread(5, { body: 'Depends on #6.' }),
        thread(6, { body: 'Depends on #7.' }),
        thread(7, { body: 'Depends on #5.' }),
      ],
    );
    expect(seeds[0]?.threads).toEqual([5]);
  });

  test('a closing reference to another repository ties nothing here', async () => {
    const { seeds } = await mine(
      [start, { message: `${good}\n\nFixes else/where#5`, files: change(2) }],
      [thread(5, { title: 'Something that is not meant' })],
    );
    expect(seeds[0]?.threads).toEqual([]);
  });

  test('a repository without tests gives no seed, and says why', async () => {
    const { seeds } = await mine([
      { message: 'start', files: { 'src/a.ts': code('a', '1') } },
      { message: good, files: { 'src/a.ts': code('a', '2') } },
    ]);
    expect(codes(seeds[0])).toContain('no-test-change');
  });
});
