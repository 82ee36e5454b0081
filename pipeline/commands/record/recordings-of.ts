import type { Completion } from '../../../schemas/completion.ts';
import { ModelRequest } from '../../../schemas/completion.ts';
import { Recording } from '../../../schemas/recording.ts';
import type { StoredEvent } from '../../ledger/events.ts';
import { ModelReturned } from '../../ledger/model-events.ts';
import type { OpenLedger } from '../../ledger/open.ts';

const text = (bytes: Uint8Array) => new TextDecoder('utf8', { fatal: true }).decode(bytes);

/** An answer from a script was written by hand, and no figure may be drawn from it. */
const throughOf = (provider: Completion['provider']) =>
  provider === 'scripted' ? 'authored' : provider;

function provenanceOf(completion: Completion, at: number): Recording['provenance'] {
  const said = completion.provenance ?? {};
  return {
    through: said.through ?? throughOf(completion.provider),
    answeredBy: said.answeredBy ?? completion.modelReturned ?? completion.modelRequested,
    answeredAt: said.answeredAt ?? new Date(at).toISOString(),
  };
}

function recordingOf({ body, at }: StoredEvent, ledger: Pick<OpenLedger, 'get'>): Recording {
  const returned = ModelReturned.parse(body);
  const request = ModelRequest.parse(JSON.parse(text(ledger.get(returned.request))));
  const completion = { ...returned.completion, text: text(ledger.get(returned.textBlob)) };
  // Parsed, so that a recording has one spelling whether it comes from a run or from a folder.
  return Recording.parse({
    recording: 1,
    requestSha256: returned.request,
    request,
    completion,
    provenance: provenanceOf(completion, at),
  });
}

/** One recording for each answered request of a run, unedited, in the order of the answers. */
export const recordingsOf = (ledger: Pick<OpenLedger, 'events' | 'get'>): Recording[] =>
  ledger.events('model-returned').map((event) => recordingOf(event, ledger));
