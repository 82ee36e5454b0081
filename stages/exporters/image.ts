import type { ReleaseInput } from '../../schemas/release-input.ts';

/** Where an image keeps dependencies; a work folder elsewhere finds them by the runtime's own lookup. */
const DEPS = '/opt/deps';
const STAGING = '/opt/install';

function versionOf({ environment }: ReleaseInput, tool: string): string | null {
  const found = environment.tools.find(({ name }) => name === tool);
  return /\d+(?:\.\d+)*/u.exec(found?.version ?? '')?.[0] ?? null;
}

/** The image to start from: the user's, else the public one of the runtime that proved the task. A tag, never a digest. */
function startImage(input: ReleaseInput): string {
  const { spec } = input.environment;
  if (spec.image !== null) return spec.image;
  if (spec.language === 'python') {
    const [major = '3', minor = '11'] = (versionOf(input, 'python') ?? '3.11').split('.');
    return `python:${major}.${minor}-slim-bookworm`;
  }
  if (spec.language === 'go') return `golang:${versionOf(input, 'go') ?? '1'}-bookworm`;
  if (spec.language === 'rust') return `rust:${versionOf(input, 'cargo') ?? '1'}-slim-bookworm`;
  if (spec.language === 'java') {
    return `maven:3-eclipse-temurin-${versionOf(input, 'java')?.split('.')[0] ?? '21'}`;
  }
  return `node:${versionOf(input, 'node') ?? '24'}-bookworm-slim`;
}

const installs = (input: ReleaseInput): string[] =>
  input.environment.spec.install.map((argv) => {
    const words = argv.map((word) =>
      word.replaceAll('{deps}', DEPS).replaceAll('{workdir}', STAGING),
    );
    return `RUN ${JSON.stringify(words)}`;
  });

/**
 * The recipe of the environment image; its context holds `base.tar` and `collect.sh`. GNU patch is taken out: one harness falls
 * back to it with a fuzz that writes where `git apply` refuses to.
 */
export function environmentDockerfile(input: ReleaseInput): string {
  const packages = `git util-linux${/script$/.test(input.environment.spec.language) ? '' : ' nodejs'}`;
  const lines = [
    `FROM ${startImage(input)}`,
    'RUN { command -v git && command -v node && command -v setpriv; } > /dev/null \\',
    ` || { apt-get update && apt-get install -y --no-install-recommends ${packages}; } \\`,
    ' && rm -rf /var/lib/apt/lists/* /usr/bin/patch',
    'COPY base.tar collect.sh /opt/csw/',
    `RUN mkdir -p /testbed ${DEPS} ${STAGING} && tar -xf /opt/csw/base.tar -C /testbed --no-same-owner \\`,
    ` && tar -xf /opt/csw/base.tar -C ${STAGING} --no-same-owner`,
    ...(installs(input).length > 0 ? [`WORKDIR ${STAGING}`, ...installs(input)] : []),
    `RUN rm -rf ${STAGING} && if [ -d ${DEPS}/node_modules ]; then ln -s ${DEPS}/node_modules /node_modules; fi`,
    'RUN cd /testbed && git init -q \\',
    " && printf '* -text -ident -filter -working-tree-encoding\\n' > .git/info/attributes \\",
    ' && export GIT_AUTHOR_DATE=2000-01-01T00:00:00Z GIT_COMMITTER_DATE=2000-01-01T00:00:00Z \\',
    ' && git add -A -f && git -c user.name=base -c user.email=base@example.invalid commit -q --allow-empty -m base \\',
    ' && cp -a .git /opt/csw/base.git',
    'WORKDIR /testbed',
    `ENTRYPOINT ["/bin/sh", "-c", "trap 'exit 0' TERM; \\"$@\\" & wait", "init"]`,
    'CMD ["tail", "-f", "/dev/null"]',
  ];
  return `${lines.join('\n')}\n`;
}

/** The verifier's image: the environment, and the folder it is built from. Without a pinned environment it repeats the recipe. */
export function verifierDockerfile(input: ReleaseInput, pinned: string | null): string {
  const start = pinned === null ? environmentDockerfile(input) : `FROM ${pinned}\n`;
  return `${start}COPY . /tests\n`;
}
