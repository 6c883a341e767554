import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { nullLogger } from '../../../base/log.ts';
import { providerTokenFile } from '../../../tap/owner/gatewayPaths.ts';
import { TerminalEnvironment } from './terminalEnvironment.ts';

describe('The environment of terminals', () => {
  const earlier = process.env.COPILOT_HOME;
  const home = mkdtempSync(join(tmpdir(), 'tapline-terminals-'));
  before(() => (process.env.COPILOT_HOME = home));
  after(() => {
    if (earlier === undefined) Reflect.deleteProperty(process.env, 'COPILOT_HOME');
    else process.env.COPILOT_HOME = earlier;
    rmSync(home, { recursive: true });
  });

  it('has the address and the token of the gateway, of the one that runs now', () => {
    const values = new Map<string, string>();
    const collection = {
      persistent: true,
      description: '',
      clear: () => values.clear(),
      replace: (name: string, value: string) => void values.set(name, value),
    };
    const environment = new TerminalEnvironment(collection as unknown as vscode.EnvironmentVariableCollection, nullLogger);
    assert.equal(collection.persistent, false, 'the token is not written to disk');
    assert.notEqual(collection.description, '');
    environment.set('ws://127.0.0.1:9400');
    assert.deepEqual([...values], [], 'nothing without a token');
    mkdirSync(dirname(providerTokenFile()), { recursive: true });
    for (const token of ['first', 'second']) {
      writeFileSync(providerTokenFile(), token);
      environment.set('ws://127.0.0.1:9400');
      assert.deepEqual(Object.fromEntries(values), { TAP_GATEWAY_URL: 'ws://127.0.0.1:9400', TAP_PROVIDER_TOKEN: token });
    }
    environment.set(undefined);
    assert.deepEqual([...values], []);
  });
});
