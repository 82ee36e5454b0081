import { contractBench } from './contract.ts';

const benches: Readonly<Record<string, () => Promise<{ readonly met: boolean }>>> = {
  contract: contractBench,
};

const [name = ''] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(
    `bench: expected one of ${Object.keys(benches).join(', ')}, got "${name}"\n`,
  );
  process.exitCode = 2;
} else {
  const result = await bench();
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = result.met ? 0 : 1;
}
