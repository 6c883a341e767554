import assert from 'node:assert/strict';
import type { SessionEvent } from '@github/copilot-sdk';
import { availableTools, leftOff, offered, UnknownTools } from './offeredTools.ts';
import { shellToolNames } from '../shell/shellTools.ts';

const info = (message: string, infoType = 'configuration') => ({ type: 'session.info', data: { infoType, message } }) as SessionEvent;

describe('the engine’s tools in a session', () => {
  it('are those of the list, the host’s own by name, and those of the user’s MCP servers', () => {
    const available = availableTools(['bash', 'lent']);
    assert.deepEqual(available.slice(-3), ['custom:bash', 'custom:lent', 'mcp:*']);
    assert.deepEqual(
      available.slice(0, -3),
      offered.map((name) => `builtin:${name}`),
    );
    assert.ok(!available.includes('builtin:lsp'));
  });

  it('are either on or off, and the shell tools are the host’s', () => {
    assert.deepEqual(
      offered.filter((name) => leftOff.includes(name)),
      [],
    );
    for (const name of shellToolNames) assert.ok(leftOff.includes(name), name);
  });

  it('are named once when they are not known', () => {
    const tools = new UnknownTools();
    assert.equal(tools.problem(info('Disabled tools: lsp, skill')), undefined);
    const said = 'This Copilot engine has tools that Tapline does not know. They are off: `beam_up`, `warp`.';
    assert.equal(tools.problem(info('Disabled tools: beam_up, lsp, warp')), said);
    assert.equal(tools.problem(info('Disabled tools: beam_up, lsp, warp')), undefined);
    assert.match(tools.problem(info('Disabled tools: beam_up, `, warp')) ?? '', /They are off: `` ` ``\.$/);
    assert.equal(tools.problem(info('Disabled tools: later', 'other')), undefined);
    assert.equal(tools.problem(info('Unknown tool name in the tool allowlist: "x"')), undefined);
  });
});
