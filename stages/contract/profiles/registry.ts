import type { ProfileName } from '../../../schemas/contract.ts';
import { cLike } from './c-like.ts';
import { isabelle } from './isabelle.ts';
import { lean4 } from './lean4.ts';
import type { Profile } from './profile.ts';
import { python } from './python.ts';
import { rocq } from './rocq.ts';
import { typescript } from './typescript.ts';

const none: Profile = {
  name: 'none',
  extensions: [],
  tokens: null,
  syntactic: null,
  regionKinds: { any: null },
  declarations: null,
};

const all: readonly Profile[] = [typescript, python, isabelle, rocq, lean4, ...cLike, none];

const byName = new Map<ProfileName, Profile>(all.map((profile) => [profile.name, profile]));

/** The profile of a file: the one a contract names, else the one its extension belongs to, else `none`. */
export function profileOf(path: string, named?: ProfileName): Profile {
  if (named !== undefined) return byName.get(named) ?? none;
  return all.find(({ extensions }) => extensions.some((end) => path.endsWith(end))) ?? none;
}
