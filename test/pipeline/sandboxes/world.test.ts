import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { requireRoom } from '../../../pipeline/sandboxes/host/room.ts';
import { onDisk } from '../../../pipeline/sandboxes/host/world.ts';

test('names a full disk as such, with what to do', async () => {
  const writing = onDisk('writing into the box', () => writeFile('/dev/full', 'x'.repeat(10_000)));
  await expect(writing).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringMatching(/^writing into the box failed: no space .* Free some/),
  });
});

test('names any other trouble with the disk after the box', async () => {
  const writing = onDisk('writing', () => writeFile('/nowhere/x', 'x'));
  await expect(writing).rejects.toMatchObject({ code: 'sandbox-failed' });
});

test('refuses to start with too little room, and says how much is needed', async () => {
  const starting = requireRoom('docker sandbox', tmpdir(), 2 ** 60);
  await expect(starting).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringMatching(/MB free in .*, 1099511627776 MB needed/),
  });
});
