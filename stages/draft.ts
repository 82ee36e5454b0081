import { z } from 'zod';
import { Drafting } from '../schemas/draft-answer.ts';
import { EnvironmentSpec } from '../schemas/environment.ts';
import { Kept } from '../schemas/kept.ts';
import { Seed, SeedEdge } from '../schemas/seed.ts';
import { AuthoredDraft } from '../schemas/seed-pack.ts';
import { Source } from '../schemas/source.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { canonicalJson, sha256 } from './contract/canonical-json.ts';
import { draftTask } from './draft/draft-task.ts';
import { writeDraft } from './draft/write-draft.ts';
import { defineStage, done, reject } from './stage.ts';

const Docs = z.array(z.strictObject({ doc: z.string(), sha256: z.string() }));

/** A record that a drafter is to write for: the commit that its task starts from. */
const Wish = z.strictObject({ base: z.string() });

export const draft = defineStage({
  name: 'draft',
  needs: {
    source: Source,
    spec: EnvironmentSpec,
    seeds: z.array(Seed),
    edges: z.array(SeedEdge),
    docs: Docs,
    authored: AuthoredDraft.nullable(),
    /** Absent in records of earlier versions. */
    forward: Wish.nullable().default(null),
  },
  gives: { task: Task, kept: Kept, drafting: Drafting },
  async run({ forward, ...facts }, context: Context) {
    if (facts.authored === null && facts.seeds.length < 2)
      return reject('too-few-seeds', `need 2 to couple, got ${facts.seeds.length}`);
    if (forward !== null) {
      const written = await writeDraft({ ...facts, base: forward.base }, context);
      if ('code' in written) return { kind: 'rejected', rejection: written };
      const { task, drafting } = written;
      return done({ task, drafting, kept: emptyKept(task) });
    }
    const drafted = await draftTask(facts, context);
    if ('code' in drafted) return { kind: 'rejected', rejection: drafted };
    return done({ task: drafted.task, kept: emptyKept(drafted.task) });
  },
});

const emptyKept = (task: Task): Kept => ({
  wrong: [],
  right: [],
  answered: [],
  repairs: [],
  lineage: [
    {
      revision: 0,
      parent: null,
      content: sha256(new TextEncoder().encode(canonicalJson(task))),
      cause: 'drafted',
      edited: [],
      verdicts: [],
    },
  ],
});
