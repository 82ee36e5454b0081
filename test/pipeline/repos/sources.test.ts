import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSource, sources } from '../../../pipeline/repos/registry.ts';
import { historyStream, tempFolder, tempRepo } from '../../support/temp-repo.ts';

const history = [
  {
    message: 'one',
    files: {
      a: '1',
      LICENSE: 'Permission is hereby granted, free of charge, to any person obtaining a copy',
    },
  },
  { message: 'two', files: { a: '2' } },
];

afterEach(() => vi.unstubAllEnvs());

describe('git:', () => {
  test('reads a local repository where it is and writes nothing', async () => {
    const path = tempRepo(history);
    const cache = tempFolder();
    const before = readdirSync(path, { recursive: true }).toSorted();
    const opened = await openSource(`git:${path}`, { cache });
    expect(opened.source).toMatchObject({
      name: 'limiter',
      kind: 'git',
      licence: 'MIT',
      licenceFiles: ['LICENSE'],
    });
    expect(opened.source.head).toBe(opened.repo.head);
    await opened.close();
    expect(readdirSync(path, { recursive: true }).toSorted()).toEqual(before);
    expect(readdirSync(cache)).toEqual([]);
  });

  test('clones an address once, with progress, whatever the shell is set to', async () => {
    for (const name of ['PAGER', 'EDITOR', 'GIT_ASKPASS']) vi.stubEnv(name, '/bin/false');
    const url = `file://${tempRepo(history)}`;
    const options = { cache: tempFolder(), onProgress: vi.fn<(line: string) => void>() };
    const first = await openSource(`git:${url}`, options);
    expect(options.onProgress).toHaveBeenCalledWith(expect.stringContaining('clone file://'));
    const calls = options.onProgress.mock.calls.length;
    const second = await openSource(`git:${url}`, options);
    expect(second.source).toEqual(first.source);
    expect(options.onProgress.mock.calls.length).toBe(calls);
    await Promise.all([first.close(), second.close()]);
  });

  test('an address that does not answer is a fault, and no half clone stays', async () => {
    const cache = tempFolder();
    const opening = openSource('git:file:///no/such/repository', { cache });
    await expect(opening).rejects.toMatchObject({ name: 'Fault', code: 'source-unreadable' });
    expect(readdirSync(join(cache, 'clones')).filter((name) => name.endsWith('.git'))).toEqual([]);
  });

  test('a password in an address is shown nowhere', async () => {
    const opening = openSource('git:http://ada:secret@127.0.0.1:9/x/limiter.git', {
      cache: tempFolder(),
    });
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'source-unreadable' });
    expect(String((error as Error).stack)).not.toContain('secret');
  });
});

describe('archive:', () => {
  test('needs a repository beside it', async () => {
    const opening = openSource('archive:threads.jsonl', { cache: tempFolder() });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('--repo') });
    const opened = await openSource('archive:t.jsonl', {
      cache: tempFolder(),
      repo: tempRepo(history),
    });
    expect(opened).toMatchObject({
      threads: 't.jsonl',
      source: { kind: 'archive', name: 'limiter' },
    });
    await opened.close();
  });
});

describe('pack:', () => {
  test('imports its history once for equal bytes, with equal commits', async () => {
    const pack = tempPack(historyStream(history));
    const cache = tempFolder();
    const first = await openSource(`pack:${pack}`, { cache });
    const second = await openSource(`pack:${pack}`, { cache: tempFolder() });
    expect(first.source).toMatchObject({
      name: 'limiter',
      kind: 'pack',
      licence: 'MIT',
      url: null,
    });
    expect(second.repo.head).toBe(first.repo.head);
    expect(readdirSync(join(cache, 'packs'))).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
  });

  test.each([
    ['a broken stream', () => tempPack(Buffer.from('nonsense\n')), 'history'],
    ['no such pack', () => './no-such-pack', 'pack.json'],
    [
      'a file outside the pack',
      () => tempPack(historyStream(history), { history: '../../etc/hosts' }),
      'hosts',
    ],
    ['an unknown key', () => tempPack(historyStream(history), { extra: 1 }), 'extra'],
  ])('names what is wrong: %s', async (_, pack, said) => {
    const opening = openSource(`pack:${pack()}`, { cache: tempFolder() });
    await expect(opening).rejects.toMatchObject({
      code: 'pack-unreadable',
      message: expect.stringContaining(said),
    });
  });
});

test.each(['gitlab:a/b', 'git:', 'somewhere', ''])(
  '"%s" is no source, and the message lists what is',
  async (spec) => {
    const opening = openSource(spec, { cache: tempFolder() });
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining(
        Object.keys(sources)
          .map((kind) => `${kind}:…`)
          .join(', '),
      ),
    });
  },
);

function tempPack(stream: Uint8Array, changes: Record<string, unknown> = {}): string {
  const folder = join(tempFolder(), 'limiter');
  mkdirSync(folder);
  writeFileSync(join(folder, 'history'), stream);
  writeFileSync(join(folder, 'threads.jsonl'), '');
  const environment = {
    environment: 1,
    language: 'typescript',
    runner: 'node-test',
    testFiles: ['test/**'],
    sourceFiles: ['src/**'],
  };
  const pack = {
    pack: 1,
    name: 'limiter',
    title: 'A limiter',
    licence: 'MIT',
    history: 'history',
    threads: 'threads.jsonl',
    environment,
    ...changes,
  };
  writeFileSync(join(folder, 'pack.json'), JSON.stringify(pack));
  return folder;
}
