import type { TestRunRequest } from '../../schemas/test-run.ts';
import { digestOf } from '../contract/canonical-json.ts';

const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Names a run: equal requests have equal keys, wherever and with whatever handle their environment was prepared. */
export function testRunKey(request: TestRunRequest): string {
  const { environment, tree, overlay, files, repeat, disturbance, probed } = request;
  return digestOf({
    environment: { digest: environment.digest, spec: environment.spec },
    tree,
    overlay: overlay.toSorted((left, right) => byText(left.path, right.path)),
    files: files.toSorted(byText),
    repeat,
    ...(disturbance === undefined ? {} : { disturbance }),
    ...(probed === undefined ? {} : { probed }),
  });
}
