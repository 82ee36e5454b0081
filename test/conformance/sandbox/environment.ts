import { expect } from 'vitest';
import { file, type Kit, run, SECRET, sh, signal, spec, text, told } from './kit.ts';

const PINS = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  CI: '1',
  NO_COLOR: '1',
  SOURCE_DATE_EPOCH: expect.stringMatching(/^\d+$/),
};

const variables = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines.split('\n').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
  );

function pins({ behaviour, inBox }: Kit): void {
  behaviour('pins time zone, language, seeds and date', async () => {
    expect(variables(await inBox((box) => told(box, 'env')))).toMatchObject(PINS);
  });

  behaviour('shows commands nothing of the host environment', async () => {
    await inBox(async (box) => {
      const seen = variables(await told(box, 'env'));
      const expected = [...Object.keys(PINS), 'HOME', 'TMPDIR', 'PATH'];
      // The shell's own, the mark by which strays are found, and what a container's engine sets.
      const tolerated = ['PWD', 'OLDPWD', 'SHLVL', '_', 'CSW_BOX', 'HOSTNAME'];
      const others = Object.keys(seen).filter((key) => !tolerated.includes(key));
      expect(others.toSorted()).toEqual(expected.toSorted());
      expect(JSON.stringify(seen)).not.toContain(SECRET);
      expect(await told(box, 'cat /proc/self/environ')).not.toContain(SECRET);
    });
  });

  behaviour('lets the spec add variables and the call overrule them', async () => {
    const fields = { env: { A: '{deps}|{workdir}', B: 'spec', TZ: 'Asia/Tokyo' } };
    await inBox(async (box) => {
      const { stdout } = await sh(box, 'echo "$A $B $TZ"', { env: { B: 'call' } });
      expect(text(stdout).trim()).toBe(`${box.deps}|${box.workdir} call Asia/Tokyo`);
    }, fields);
  });

  behaviour('gives an empty, writable home and a temporary folder of its own', async () => {
    await inBox(async (box) => {
      expect(await told(box, 'ls -A "$HOME" "$TMPDIR" | grep -v ":$" | tr -d "\\n"')).toBe('');
      expect(await told(box, 'touch "$HOME/a" "$TMPDIR/b" && echo both')).toBe('both');
      expect(await told(box, 'echo ~')).toBe(await told(box, 'echo "$HOME"'));
    });
  });

  behaviour('runs the Node that runs us, and says its version', async () => {
    expect(await inBox((box) => told(box, 'node --version'))).toBe(process.version);
  });

  behaviour('puts the paths of the spec first, relative ones from the work folder', async () => {
    const tree = [file('tools/node', '#!/bin/sh\necho mine\n', 'exec')];
    await inBox(
      async (box) => {
        await box.write(tree);
        expect(await told(box, 'node')).toBe('mine');
      },
      { paths: ['tools'] },
    );
  });
}

function bareness({ behaviour, inBox }: Kit): void {
  behaviour(
    'gives a command what it needs to start and nothing else, where that is asked',
    async () => {
      await inBox(
        async (box) => {
          const { stdout } = await sh(box, 'env', { onlyEnv: true, env: { OWN: 'yes' } });
          const names = text(stdout)
            .split('\n')
            .map((line) => line.split('=')[0]);
          const own = ['', 'PWD', 'OLDPWD', 'SHLVL', '_', 'CSW_BOX', 'HOSTNAME'];
          expect(names.filter((name) => !own.includes(name ?? '')).toSorted()).toEqual([
            'HOME',
            'OWN',
            'PATH',
            'TMPDIR',
          ]);
        },
        { env: { ROUND: 'once' } },
      );
    },
  );

  behaviour('mounts no place that a link of an earlier command leads away', async () => {
    await inBox(async (box) => {
      await sh(box, 'mkdir real; ln -s real link');
      const readOnly = { writable: ['link'] };
      await expect(sh(box, 'true', { readOnly })).rejects.toMatchObject({ code: 'sandbox-failed' });
    });
  });
}

/** Installs a package by hand: a folder in the kept modules, and a note where it was done. */
const INSTALL = [
  ['mkdir', '-p', '{deps}/node_modules/greet'],
  ['cp', 'greet.js', '{deps}/node_modules/greet/index.js'],
  ['sh', '-c', 'echo once >> "$1/log"; pwd > "$1/where"', 'sh', '{deps}'],
];
const TREE = [file('greet.js', 'module.exports = "hello"'), file('package.json', '{"name":"x"}')];

function preparation({ behaviour, open, prepared, inBox, name }: Kit): void {
  behaviour(
    'names tools and digest, equal for equal specs, without paths of this machine',
    async () => {
      const one = await prepared(open('one'), { install: INSTALL }, TREE);
      const two = await prepared(open('two'), { install: INSTALL }, TREE.toReversed());
      const other = await prepared(open(), { install: INSTALL.slice(0, 2) }, TREE);
      const lock = [TREE[0] ?? file('', ''), file('package.json', '{"name":"y"}')];
      const moved = await prepared(open(), { install: INSTALL }, lock);
      expect(one).toMatchObject({ sandbox: name, digest: two.digest });
      expect(one.tools).toEqual([{ name: 'node', version: process.versions.node }]);
      expect(new Set([one.digest, other.digest, moved.digest]).size).toBe(3);
    },
  );

  behaviour('installs once, and lends what was kept to every box', async () => {
    const sandbox = open();
    const fields = { install: INSTALL, env: { ROUND: 'once' } };
    const both = [prepared(sandbox, fields, TREE), prepared(open(), fields, TREE)];
    const [environment] = await Promise.all(both);
    if (environment === undefined) throw new Error('no environment');
    await prepared(sandbox, fields, TREE);
    await sandbox.use(environment, signal, async (box) => {
      expect(await told(box, `cat ${box.deps}/log`)).toBe('once');
      expect(await box.tree()).toEqual([]);
      await box.write([file('src/a.cjs', 'console.log(require("greet"))')]);
      expect(await told(box, 'node src/a.cjs')).toBe('hello');
    });
  });

  behaviour('reports a failing install step as data, and tries again next time', async () => {
    const script = 'echo reading; echo broken >&2; exit 7';
    const install = [['true'], ['sh', '-c', script]];
    const sandbox = open();
    for (let round = 0; round < 2; round += 1) {
      const answer = await sandbox.prepare(spec({ install }), TREE, signal);
      expect(answer).toEqual({ ready: false, step: `sh -c ${script}`, tail: 'reading\nbroken\n' });
    }
  });

  behaviour('has an empty folder of dependencies where none were asked for', async () => {
    await inBox(async (box) => {
      expect(await told(box, `ls -A ${box.deps} && echo there`)).toBe('there');
    });
  });

  behaviour('says so when the kept dependencies are gone', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox, { install: [['true']] }, TREE);
    const gone = { ...environment, digest: '0'.repeat(64) };
    const used = sandbox.use(gone, signal, (box) => run(box, ['true']));
    await expect(used).rejects.toMatchObject({ code: 'environment-failed' });
  });
}

/** Behaviours of `prepare`, and the environment that commands see. */
export function environmentBehaviours(kit: Kit): void {
  pins(kit);
  bareness(kit);
  preparation(kit);
}
