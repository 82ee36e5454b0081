import { sha256 } from '../contract/canonical-json.ts';
import { auditText, inOrder } from './audit.ts';
import { benchRow } from './bench-row.ts';
import { graderBundle } from './bundle.ts';
import { commonRejections, rowRejections } from './check.ts';
import type { Exporter } from './exporter.ts';
import { evalScript } from './scripts.ts';
import { asciiJson, utf8 } from './text.ts';

/** The benchmark itself: `data/<split>.jsonl`, one row a task with all its evidence. */
export const bench: Exporter = {
  format: 'bench',
  check: (input, options) => [
    ...commonRejections(input, options),
    ...rowRejections(input, evalScript(graderBundle(input, options))),
  ],
  *files(inputs, options) {
    const audit = sha256(auditText(inputs));
    const rows = inOrder(inputs).map((input) => asciiJson(benchRow(input, options, audit)));
    const bytes = utf8(rows.map((row) => `${row}\n`).join(''));
    yield { path: `data/${options.split}.jsonl`, bytes };
  },
};
