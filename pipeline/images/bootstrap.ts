import type { Inputs } from './inputs.ts';

/** A path as one word of a hook line. */
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`;

const hook = (line: string) => `--customize-hook=${line}`;

function npmHooks(npm: string | null): string[] {
  if (npm === null) return [];
  const link = (name: string) =>
    hook(`ln -s ../lib/node_modules/npm/bin/${name}-cli.js "$1/usr/local/bin/${name}"`);
  return [
    hook('mkdir -p "$1/usr/local/lib/node_modules"'),
    hook(`copy-in ${quoted(npm)} /usr/local/lib/node_modules`),
    link('npm'),
    link('npx'),
  ];
}

function certificateHooks(certificates: readonly string[]): string[] {
  if (certificates.length === 0) return [];
  const files = certificates.map(quoted).join(' ');
  return [
    hook(`copy-in ${files} /usr/local/share/ca-certificates`),
    hook('chroot "$1" update-ca-certificates'),
  ];
}

/** The whole bootstrap as arguments of mmdebstrap: packages, Node, npm, certificates and the folders of a box. */
export function bootstrapArguments(inputs: Inputs, target: string): string[] {
  const { release, packages } = inputs.named;
  return [
    '--variant=minbase',
    `--include=${packages.join(',')}`,
    ...inputs.aptOptions.map((option) => `--aptopt=${option}`),
    ...['man', 'doc', 'info', 'locale'].map(
      (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
    ),
    hook(`upload ${quoted(inputs.node)} /usr/local/bin/node`),
    hook('chmod 755 "$1/usr/local/bin/node"'),
    ...npmHooks(inputs.npm),
    ...certificateHooks(inputs.certificates),
    hook('mkdir -p "$1/testbed" "$1/csw" "$1/deps" "$1/node_modules"'),
    release,
    target,
    ...inputs.sources,
  ];
}
