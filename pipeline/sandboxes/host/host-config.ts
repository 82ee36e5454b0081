import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failedWith, onDisk } from './world.ts';

const FILES = [
  '.npmrc',
  '.config/pip/pip.conf',
  '.pip/pip.conf',
  '.config/uv/uv.toml',
  '.yarnrc.yml',
  '.config/go/env',
  '.cargo/config.toml',
  '.m2/settings.xml',
];

/** Copy what package managers read at home into an install step's home, which goes when the step is done. */
export async function copyHostConfig(
  home: string,
  host: Readonly<Record<string, string>>,
): Promise<void> {
  const { HOME } = host;
  if (HOME === undefined) return;
  for (const file of FILES) {
    await onDisk('settings of package managers', async () => {
      await mkdir(dirname(join(home, file)), { recursive: true });
      await copyIfThere(join(HOME, file), join(home, file));
    });
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await cp(from, to);
  } catch (error) {
    if (!failedWith(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}
