import { join } from 'node:path';
import type { Clock } from '../../stages/context.ts';
import { boundary } from '../../stages/fault.ts';
import { openLedger } from '../ledger/open.ts';
import { EnvironmentPrepared } from '../ledger/run-events.ts';
import { runsIn } from '../run-folder.ts';
import { openImageStore, type StoredImage } from '../sandboxes/docker/image-store.ts';
import { BASES } from './base.ts';
import { ENVIRONMENTS } from './environment-image.ts';

type Host = Readonly<Record<string, string>>;
type Wanted = { readonly out: string; readonly clock: Clock; readonly host: Host };
/** `among`: look at these images alone, by name. */
type Pruned = Wanted & { readonly among?: readonly string[] };

/** Ids and names of the images that one run's environments were prepared in. */
function imagesOfRun(folder: string, clock: Clock): string[] {
  const ledger = openLedger({ folder, mode: 'read', clock });
  try {
    return ledger.events('environment-prepared').flatMap(({ body }) => {
      const { spec, prepared } = EnvironmentPrepared.parse(body);
      const handle = prepared.ready ? [prepared.environment.handle] : [];
      return spec.image === null ? handle : [spec.image, ...handle];
    });
  } finally {
    ledger.close();
  }
}

/** What the runs below a folder were prepared in. A run that cannot be read keeps everything: the Fault passes. */
function imagesInUse({ out, clock }: Wanted): Set<string> {
  const folders = runsIn(out).map((name) => join(out, name));
  return new Set(folders.flatMap((folder) => imagesOfRun(folder, clock)));
}

/** An image of ours: its names, its size, and whether a run below the folder of runs was prepared in it. */
export type OwnImage = StoredImage & { readonly isUsed: boolean };

/** The images that were made here, of both kinds. The newest base image counts as used: the next run starts from it. */
export async function listOwnImages(wanted: Wanted): Promise<OwnImage[]> {
  return await boundary('environment-failed', 'List of images', async () => {
    const store = await openImageStore(wanted.host);
    const used = imagesInUse(wanted);
    const images = [...(await store.list(BASES)), ...(await store.list(ENVIRONMENTS))];
    return images.map((image) => ({
      ...image,
      isUsed: [image.id, ...image.names].some(
        (name) => used.has(name) || name === `${BASES}:latest`,
      ),
    }));
  });
}

/** Remove every image of ours that no run was prepared in and no container uses; returns what went, with the bytes that it took. */
export async function pruneImages(wanted: Pruned): Promise<StoredImage[]> {
  const removed: StoredImage[] = [];
  const store = await openImageStore(wanted.host);
  for (const { isUsed, ...image } of await listOwnImages(wanted)) {
    const { among = image.names } = wanted;
    if (isUsed || !image.names.some((name) => among.includes(name))) continue;
    const gone: boolean[] = [];
    for (const name of image.names) gone.push(await store.remove(name));
    if (gone.every(Boolean)) removed.push(image);
  }
  return removed;
}
