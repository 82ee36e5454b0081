import { contractBench } from './contract.ts';
import { gradingBench } from './grading.ts';
import { mineBench } from './mine.ts';

type Bench = () => Promise<{
  readonly figures: unknown;
  readonly lines: readonly string[];
  readonly met: boolean;
}>;

const benches: Readonly<Record<string, Bench>> = {
  contract: contractBench,
  grading: gradingBench,
  mine: mineBench,
};

const [name = '', flag] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined || (flag !== undefined && flag !== '--json')) {
  const given = process.argv.slice(2).join(' ');
  process.stderr.write(
    `bench: expected one of ${Object.keys(benches).join(', ')}, with --json or without, got "${given}"\n`,
  );
  process.exitCode = 2;
} else {
  const { figures, lines, met } = await bench();
  const text = flag === '--json' ? JSON.stringify(figures, null, 2) : lines.join('\n');
  process.stdout.write(`${text}\n`);
  process.exitCode = met ? 0 : 1;
}
