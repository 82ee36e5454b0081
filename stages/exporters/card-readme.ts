import type { ReleaseInput } from '../../schemas/release-input.ts';
import { inOrder } from './audit.ts';
import type { ExportOptions } from './exporter.ts';
import { failToPass, passToPass } from './groups.ts';
import { panelOf } from './panel.ts';
import { asciiJson, byText } from './text.ts';

const sizes: readonly [number, string][] = [
  [1000, 'n<1K'],
  [10_000, '1K<n<10K'],
];

function yamlHead(inputs: readonly ReleaseInput[], options: ExportOptions): string {
  const found = [
    ...new Set(inputs.map(({ source }) => source.licence?.toLowerCase() ?? 'unknown')),
  ];
  const [only = 'unknown'] = found;
  const head: Record<string, unknown> = {
    license: found.length === 1 ? only : 'other',
    pretty_name: `${options.release} ${options.version}`,
    tags: ['harbor', 'swe-bench', 'reinforcement-learning', 'synthetic', 'code'],
    annotations_creators: ['machine-generated'],
    task_categories: ['text-generation'],
    size_categories: [sizes.find(([limit]) => inputs.length < limit)?.[1] ?? '10K<n<100K'],
    // Written out, since a viewer that guesses takes every folder beside the rows for data.
    configs: [
      {
        config_name: 'default',
        data_files: [{ split: options.split, path: `data/${options.split}.jsonl` }],
      },
    ],
  };
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${asciiJson(value)}`);
  return `---\n${lines.join('\n')}\n---\n`;
}

function taskLine({ task, instance, source }: ReleaseInput): string {
  const levels = instance.couplings.map(({ from, to, level }) => `${from}–${to}: ${level}`);
  const cells = [
    task.id,
    source.name,
    String(task.requirements.length),
    levels.toSorted(byText).join(', ') || '–',
    String(failToPass(instance).length),
    String(passToPass(instance).length),
    String(task.revision),
  ];
  return `| ${cells.join(' | ')} |`;
}

const cell = (value: number | null) => (value === null ? 'unknown' : String(value));

function panelLines(input: ReleaseInput): string[] {
  return panelOf(input).map((row) => {
    const classes = [
      row.valid_success,
      row.false_success,
      row.safe_failure,
      row.rejected_violation,
      row.invalid_candidate,
      row.incomplete,
    ];
    const cells = [input.task.id, row.model, row.condition, row.rollouts, ...classes];
    return `| ${cells.join(' | ')} | ${cell(row.tokens)} | ${cell(row.cost_usd)} |`;
  });
}

/** The card: what is in the release, how to grade with it, and what its figures do not say. */
export function readme(inputs: readonly ReleaseInput[], options: ExportOptions): string {
  const ordered = inOrder(inputs);
  const unpinned = ordered.filter(({ task }) => options.images[task.id] === undefined).length;
  const lines = [
    `# ${options.release} ${options.version}`,
    '',
    'Software-engineering tasks whose requirements meet in one piece of code. The level of each coupling was proved by running tests.',
    '',
    '| task | source | requirements | proved levels | FAIL_TO_PASS | PASS_TO_PASS | revision |',
    '|---|---|--:|---|--:|--:|--:|',
    ...ordered.map(taskLine),
    '',
    '## What is here',
    '',
    `- \`data/${options.split}.jsonl\`: one row a task, schema csw-bench/1, a superset of the SWE-bench columns.`,
    '- `harbor/<task>/`: a Harbor task with a separate verifier. `swebench/`: rows and a task repository for SWE-bench 5.',
    '- `audit.jsonl`: what was tried and measured. `manifest.json`: names and hashes of the tasks. `SHA256SUMS`: every file.',
    '',
    '## Grading',
    '',
    'One grader in all formats: base bytes by hash, a control test, the contract check, the authorised paths on pristine bytes, then the suite.',
    '`reward` is 1 only if every required test passed and the contract was kept. A fault writes no reward and exits 3; leave such',
    'rollouts out (those without the metric `graded`), they are not zeros.',
    '`base_patch` takes the tree of `base_commit` to the base of the task; it is empty where the two are equal.',
    unpinned === 0
      ? 'Every image is pinned by digest.'
      : `${unpinned} of ${ordered.length} tasks have no pinned image (\`image\` is null): build it from the Dockerfile beside the task.`,
    '',
    '## Panel',
    '',
    'Outcomes per entrant; the classes and `incomplete` sum to the rollouts. Unknown is not zero.',
    '',
    '| task | entrant | condition | rollouts | valid-success | false-success | safe-failure | rejected-violation | invalid-candidate | incomplete | tokens | cost in USD |',
    '|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...ordered.flatMap(panelLines),
    '',
    'Not run here: the consumers named above. Gold patches are part of this release.',
    '',
  ];
  return yamlHead(ordered, options) + lines.join('\n');
}
