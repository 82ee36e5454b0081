import type { Attempt } from '../../schemas/attempt.ts';

const digest = '0'.repeat(64);

/** An attempt by its two facts: null conforms means that no candidate was made. */
export function attempt(
  conforms: boolean | null,
  status: Attempt['build']['status'],
  at = 1,
): Attempt {
  const conjuncts = {
    tree: true,
    projection: conforms ?? false,
    region: true,
    text: true,
    target: null,
    frameLexical: null,
    frameSyntactic: null,
    regionKind: null,
    forbidden: true,
    statement: null,
  };
  return {
    attempt: at,
    request: null,
    proposal: null,
    proposalReason: conforms === null ? 'proposal.syntax: cut' : null,
    candidate: conforms === null ? null : digest,
    report:
      conforms === null
        ? null
        : {
            contractSha256: digest,
            authoritySha256: digest,
            base: digest,
            candidate: digest,
            conforms,
            conformsEq2: conforms,
            conjuncts,
            reasons: [],
            warnings: [],
            assurance: {
              level: 'L1',
              extra: [],
              missing: [],
              vacuous: [],
              reportChannel: null,
            },
          },
    build: { status, reason: null, runs: [], groups: [] },
  };
}
