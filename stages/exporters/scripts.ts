import type { Asset } from './exporter.ts';
import { tar } from './tar.ts';
import { base64Lines } from './text.ts';

/** No setting of a user or a machine may change what git reads or writes. */
const gitClean =
  'export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_NO_REPLACE_OBJECTS=1';

/** Runs in the verifier's own box: candidate from base and patch, then the grader. Exit 3 and no file is a fault. */
export const testScript = `#!/bin/bash
# Exit 3 and no reward file: a fault, nothing was measured.
mkdir -p /logs/verifier && chmod 0755 /logs/verifier || exit 3
rm -rf /logs/verifier/reward.* /logs/verifier/details.json /logs/verifier/.[!.]* /tmp/rllm
${gitClean}
patch=/logs/artifacts/model.patch
[ -f "$patch" ] && [ ! -L "$patch" ] || { echo 'fault: no model.patch was collected'; exit 3; }
rm -rf /cand && mkdir /cand && tar -xf /opt/csw/base.tar -C /cand --no-same-owner || exit 3
invalid=
[ ! -s "$patch" ] || (cd /cand && GIT_CEILING_DIRECTORIES=/ git apply --whitespace=nowarn "$patch") || invalid=--invalid
node /tests/grade.mjs /cand --base /opt/csw/base.tar --reward /logs/verifier $invalid
[ -f /logs/verifier/reward.json ] || exit 3
exit 0
`;

/** Runs in the solver's box when it is done; leaves the candidate as one patch. Globs name what is left out. */
export function collectScript(discard: readonly string[]): string {
  const excluded = discard.map((glob) => ` ':(exclude,glob)${glob}'`).join('');
  return `#!/bin/bash
# The candidate, as a patch on the base commit. The solver's own git folder is not asked.
set -eu
scratch=$(mktemp -d)
export GIT_DIR=/opt/csw/base.git GIT_WORK_TREE=/testbed GIT_INDEX_FILE="$scratch/index"
${gitClean}
mkdir -p /logs/artifacts && cd /testbed
git read-tree HEAD && git add -A -f -- .${excluded}
git diff --cached --binary --full-index --no-renames --no-ext-diff --no-textconv --no-color HEAD > /logs/artifacts/.p
mv /logs/artifacts/.p /logs/artifacts/model.patch
`;
}

/** The reference change, applied where a solver works. */
export const solveScript = `#!/bin/bash
set -eu
${gitClean}
cd /testbed && git apply --whitespace=nowarn /solution/gold.patch
`;

/**
 * The script of a SWE-bench row: carries the whole grader, prints one line a test. The grader is the line right above the end
 * marker, for a harness puts its exit code there; base64 keeps its line rewriting away from embedded files.
 */
export function evalScript(bundle: readonly Asset[]): string {
  const entries = bundle.map(({ path, bytes }) => ({ path, kind: 'file' as const, bytes }));
  return `#!/bin/bash
set -uxo pipefail
exec 2>&1
rm -rf /tmp/csw; mkdir -m 700 /tmp/csw
base64 -d <<'CSW' | tar -x -C /tmp/csw
${base64Lines(tar(entries))}CSW
: '>>>>> Start Test Output'
node /tmp/csw/grade.mjs /testbed --base /opt/csw/base.tar --lines
: '>>>>> End Test Output'
`;
}
