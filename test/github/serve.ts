import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFixture, packRepository } from './pack-fixture.ts';
import { localGithub } from './server.ts';

/** `node test/github/serve.ts`: the bundled pack behind GitHub's own schema on loopback, for trying the miner without GitHub. */
const repo = packRepository(mkdtempSync(join(tmpdir(), 'csw-github-')));
const { endpoint } = await localGithub(packFixture());
process.stdout.write(`GitHub's schema over the bundled pack, until Ctrl-C. In another terminal:
GITHUB_TOKEN=local npx pipeline mine github:demo/token-bucket --endpoint ${endpoint} --repo ${repo} --run github
`);
