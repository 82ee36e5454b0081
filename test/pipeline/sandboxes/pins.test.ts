import { expect, test } from 'vitest';
import { installEnv } from '../../../pipeline/sandboxes/host/pins.ts';

test('lets install steps know the way to registries, and no token beside it', () => {
  const shown = {
    PIP_CONFIG_FILE: '/etc/pip.conf',
    npm_config_registry: 'http://127.0.0.1:4873',
    NPM_CONFIG_CAFILE: '/ca.crt',
    UV_INDEX_URL: 'x',
    https_proxy: 'http://127.0.0.1:3128',
    NO_PROXY: 'localhost',
    SSL_CERT_FILE: '/ca.crt',
    NODE_EXTRA_CA_CERTS: '/ca.crt',
  };
  const hidden = {
    OPENAI_API_KEY: 'k',
    GITHUB_TOKEN: 'k',
    npm_config_prefix: '/usr',
    npm_config_local_prefix: '/here',
    PATH: '/bin',
    HOME: '/root',
    MY_PIP_TOKEN: 'k',
  };
  expect(installEnv({ ...shown, ...hidden })).toEqual(shown);
});
