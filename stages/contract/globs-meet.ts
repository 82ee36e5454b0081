import { globTokens } from './globs.ts';

/** What a move takes besides one certain character: any but a slash, or any at all. */
const IN_COMPONENT = 'component';
const ANY = 'any';

type Move = { readonly takes: string; readonly to: number };

/** A glob as states; `free` moves take nothing. `at` is the state that was reached last, in the end the accepting one. */
type Machine = {
  readonly free: number[][];
  readonly moves: Move[][];
  readonly choices: { readonly from: number; readonly to: number }[];
  at: number;
};

const MOST_PAIRS = 1_000_000;

function fresh({ free, moves }: Machine): number {
  free.push([]);
  return moves.push([]) - 1;
}

/** A free move from the state at hand to a new one, so that a loop at the old one is left behind. */
function goOn(machine: Machine): void {
  const next = fresh(machine);
  machine.free[machine.at]?.push(next);
  machine.at = next;
}

function takeOne(machine: Machine, takes: string): void {
  const next = fresh(machine);
  machine.moves[machine.at]?.push({ takes, to: next });
  machine.at = next;
}

function takeMany(machine: Machine, takes: string): void {
  machine.moves[machine.at]?.push({ takes, to: machine.at });
  goOn(machine);
}

/** Any number of whole folders, each with its slash. */
function takeFolders(machine: Machine): void {
  const inside = fresh(machine);
  machine.moves[machine.at]?.push({ takes: IN_COMPONENT, to: inside });
  machine.moves[inside]?.push({ takes: IN_COMPONENT, to: inside }, { takes: '/', to: machine.at });
  goOn(machine);
}

/** One of `{`, `,` and `}` where braces choose; false where it is a plain character. */
function takeChoice(machine: Machine, token: string): boolean {
  if (token === '{') machine.choices.push({ from: machine.at, to: fresh(machine) });
  const choice = machine.choices.at(-1);
  if (choice === undefined) return false;
  if (token !== '{') machine.free[machine.at]?.push(choice.to);
  machine.at = token === '}' ? choice.to : choice.from;
  if (token === '}') machine.choices.pop();
  else goOn(machine);
  return true;
}

const stars: Readonly<Record<string, (machine: Machine) => void>> = {
  '**/': takeFolders,
  '**': (machine) => takeMany(machine, ANY),
  '*': (machine) => takeMany(machine, IN_COMPONENT),
  '?': (machine) => takeOne(machine, IN_COMPONENT),
};

function machineOf(glob: string): Machine {
  const machine: Machine = { free: [[]], moves: [[]], choices: [], at: 0 };
  const { tokens, chooses } = globTokens(glob);
  for (const token of tokens) {
    const star = stars[token];
    const isChoice = chooses && '{},'.includes(token);
    if (star !== undefined) star(machine);
    else if (!isChoice || !takeChoice(machine, token))
      for (const character of token) takeOne(machine, character);
  }
  return machine;
}

function overlap(left: string, right: string): boolean {
  if (left === ANY || right === ANY || left === right) return true;
  return left === IN_COMPONENT ? right !== '/' : right === IN_COMPONENT && left !== '/';
}

type Pair = readonly [number, number];

function nextPairs(left: Machine, right: Machine, [one, other]: Pair): Pair[] {
  const stepped = (left.moves[one] ?? []).flatMap((move) =>
    (right.moves[other] ?? [])
      .filter(({ takes }) => overlap(move.takes, takes))
      .map(({ to }): Pair => [move.to, to]),
  );
  return [
    ...(left.free[one] ?? []).map((to): Pair => [to, other]),
    ...(right.free[other] ?? []).map((to): Pair => [one, to]),
    ...stepped,
  ];
}

/** Whether some path fits both globs. Globs too large to tell are said to meet. */
export function globsMeet(one: string, other: string): boolean {
  const [left, right] = [machineOf(one), machineOf(other)];
  const width = right.moves.length;
  if (left.moves.length * width > MOST_PAIRS) return true;
  const seen = new Uint8Array(left.moves.length * width);
  const waiting: Pair[] = [[0, 0]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair[0] === left.at && pair[1] === right.at) return true;
    for (const next of nextPairs(left, right, pair)) {
      const place = next[0] * width + next[1];
      if (seen[place] === 1) continue;
      seen[place] = 1;
      waiting.push(next);
    }
  }
  return false;
}
