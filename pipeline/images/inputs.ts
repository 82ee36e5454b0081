import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { findToolchain } from '../sandboxes/host/toolchain.ts';
import { aptOptions, aptSources, hostRelease } from './apt-sources.ts';

const CERTIFICATES = '/usr/local/share/ca-certificates';

/** Debian packages of the base image, beside the essential ones. */
const PACKAGES = [
  'bash',
  'ca-certificates',
  'git',
  'procps',
  'python3',
  'python3-pip',
  'python3-venv',
];

/** All that goes into a base image; `named` is what its digest is taken of, without this machine's paths. */
export type Inputs = {
  readonly named: {
    readonly recipe: 1;
    readonly architecture: string;
    readonly release: string;
    readonly packages: readonly string[];
    readonly node: string;
    readonly npm: string | null;
    readonly certificates: readonly string[];
  };
  readonly sources: readonly string[];
  readonly aptOptions: readonly string[];
  readonly node: string;
  readonly npm: string | null;
  readonly certificates: readonly string[];
};

/** Certificates that this host trusts beyond its distribution's, as networks of companies need them. */
async function extraCertificates(): Promise<string[]> {
  const parents = await readdir('/usr/local/share');
  if (!parents.includes('ca-certificates')) return [];
  const names = await readdir(CERTIFICATES);
  const files = names.filter((name) => name.endsWith('.crt')).toSorted();
  return files.map((name) => join(CERTIFICATES, name));
}

const hashOf = async (file: string) => sha256(await readFile(file));

/** Look up everything that a build needs, before anything is downloaded. */
export async function gatherInputs(host: Readonly<Record<string, string>>): Promise<Inputs> {
  const [{ node, npm }, release] = await Promise.all([findToolchain(host), hostRelease()]);
  const certificates = await extraCertificates();
  const named = {
    recipe: 1 as const,
    architecture: process.arch,
    release,
    packages: PACKAGES,
    node: await hashOf(node),
    npm: npm && (await hashOf(join(npm, 'package.json'))),
    certificates: await Promise.all(certificates.map(hashOf)),
  };
  const apt = { sources: await aptSources(release), aptOptions: await aptOptions() };
  return { named, ...apt, node, npm, certificates };
}
