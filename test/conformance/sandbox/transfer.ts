import { expect } from 'vitest';
import { bytes, file, type Kit, sh, text, told } from './kit.ts';

const LONG = 'n'.repeat(255);
const DEEP = Array.from({ length: 60 }, (_, at) => `d${at}`).join('/');
const BIG = new Uint8Array(20_000_000).map((_, at) => (at * 31) & 255);

/** Behaviours of files that go in and come out in number, size, depth and odd kinds. */
export function transferBehaviours({ behaviour, inBox }: Kit): void {
  behaviour('carries many files, a large one, a deep one and a long name, in and out', async () => {
    await inBox(async (box) => {
      const many = Array.from({ length: 1000 }, (_, at) => file(`many/${at % 10}/${at}`, `${at}`));
      await box.write([...many, file(`${DEEP}/leaf`, 'deep'), file(LONG, 'long')]);
      await box.write([{ path: 'big', kind: 'file', bytes: BIG }]);
      expect(await told(box, 'find many -type f | wc -l; cat many/*/* | wc -c')).toBe('1000\n2890');
      expect(await told(box, `cat ${DEEP}/leaf ${LONG}`)).toBe('deeplong');
      await sh(box, 'cp big copy');
      const copy = await box.read('copy', BIG.length + 1);
      expect(Buffer.from(copy ?? bytes('')).equals(Buffer.from(BIG))).toBe(true);
      const tree = await box.tree();
      const same = tree.filter(({ path }) => path === 'big' || path === 'copy');
      expect(new Set(same.map(({ sha256 }) => sha256)).size).toBe(1);
      expect(tree).toHaveLength(1000 + 4);
    });
  });

  behaviour('tells hard links, special modes and odd names as what they hold', async () => {
    await inBox(async (box) => {
      await box.write([file('a', 'x'), file('tool', 'y', 'exec'), file('to', 'a', 'link')]);
      await sh(
        box,
        'ln a hard; chmod 4755 tool; chmod 0600 a; printf z > "$(printf "new\\nline")"',
      );
      const tree = await box.tree();
      expect(tree.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
        'file a',
        'file hard',
        'file new\nline',
        'link to',
        'exec tool',
      ]);
      // Writing to one name of a shared file must not reach the other.
      await box.write([file('hard', 'mine')]);
      expect(text((await box.read('a', 10)) ?? bytes(''))).toBe('x');
      expect(text((await box.read('new\nline', 10)) ?? bytes(''))).toBe('z');
    });
  });
}
