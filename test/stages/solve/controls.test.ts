import { expect, test } from 'vitest';
import { Outcome } from '../../../schemas/outcome.ts';
import { runControls } from '../../../stages/solve/controls.ts';
import { keepFiles } from '../../support/contract-case.ts';
import { goldFiles, solveBench } from '../../support/solve-bench.ts';

test('case 89: the controls reach every outcome, each as expected', async () => {
  const controls = await runControls(solveBench());
  expect(controls.map(({ expected }) => expected).toSorted()).toEqual(
    [...Outcome.options].toSorted(),
  );
  expect(controls.filter(({ expected, outcome }) => expected !== outcome)).toEqual([]);
});

test('tests that accept anything are found by the control that does nothing', async () => {
  const lax = solveBench(() => ({ statuses: { 'add > adds': 'passed', 'same > same': 'passed' } }));
  const controls = await runControls(lax);
  expect(controls.find(({ name }) => name === 'nothing')).toMatchObject({
    expected: 'safe-failure',
    outcome: 'valid-success',
  });
});

test('a gold that leaves its contract is found by its own control', async () => {
  const bench = solveBench();
  const goldTree = keepFiles(bench.ledger, { ...goldFiles, 'lib/other.js': 'exports.x = 2;\n' });
  const controls = await runControls({ ...bench, instance: { ...bench.instance, goldTree } });
  expect(controls[0]).toMatchObject({ expected: 'valid-success', outcome: 'false-success' });
});

test('where every file is editable a new one takes the place of a protected line', async () => {
  const bench = solveBench();
  const editable = ['src/add.ts', 'src/same.ts', 'lib/other.js'].map((file) => ({
    file,
    whole_file: true as const,
    max_bytes: 65536,
  }));
  const task = { ...bench.task, contract: { ...bench.task.contract, editable } };
  const controls = await runControls({ ...bench, task });
  expect(controls.filter(({ expected, outcome }) => expected !== outcome)).toEqual([]);
});
