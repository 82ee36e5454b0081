import { z } from 'zod';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { Recording } from '../../schemas/recording.ts';
import type { Model } from '../../stages/context.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { completionOf } from './completion-of.ts';
import { difference, nearestOf } from './recorded/nearest.ts';
import { readRecordings } from './recorded/read-folder.ts';

const Options = z.strictObject({ name: z.string(), folders: z.array(z.string()).min(1) });

type Shelf = ReadonlyMap<string, Recording>;

/** The first folder that holds a request answers it. */
function shelved(folders: readonly string[]): Shelf {
  const shelf = new Map<string, Recording>();
  for (const recording of folders.flatMap(readRecordings)) {
    if (!shelf.has(recording.requestSha256)) shelf.set(recording.requestSha256, recording);
  }
  return shelf;
}

function played({ completion, provenance }: Recording): Completion {
  return completionOf({ ...completion, provider: 'recorded', provenance });
}

function missing(
  { name, folders }: z.infer<typeof Options>,
  request: ModelRequest,
  shelf: Shelf,
): Fault {
  const nearest = nearestOf(
    request,
    [...shelf.values()].map((recording) => recording.request),
  );
  const near =
    nearest === null
      ? 'There are no recordings there'
      : `The nearest is ${digestOf(nearest)}, which differs in ${difference(request, nearest)}`;
  return new Fault(
    `Recorded model "${name}" failed: no answer to request ${digestOf(request)} (${request.role} "${request.entrant}" on "${request.subject}") in ${folders.join(', ')}. ${near}. Record the run anew with "pipeline record".`,
    { code: 'recording-missing' },
  );
}

/**
 * Replays recorded answers by the request's digest; needs no network and costs nothing.
 * Throws `recording-missing` with the nearest request, and `pack-unreadable` for a damaged recording.
 */
export const recorded = defineAdapter(Options, (options): Model => {
  let shelf: Shelf | null = null;
  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      shelf ??= shelved(options.folders);
      const recording = shelf.get(digestOf(request));
      if (recording === undefined) throw missing(options, request, shelf);
      return played(recording);
    },
  };
});
