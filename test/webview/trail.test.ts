/** Who allowed or denied a call, at its row. */
import assert from 'node:assert/strict';
import { decidedDigest } from '../../src/ahp/decidedDigest.ts';
import type { CallDecision } from '../../src/views/session/trail/callDecision.ts';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { completed, session, toolCall, turn, uri } from './sessions.ts';
import type { ThemeName } from './themes.ts';

describe('The row of a call', function () {
  this.timeout(60_000);
  useSessionPage();

  const option = { id: 's', label: 'Allow this command in this session', kind: 'approve' as const };
  const calls = [
    completed('mine', { confirmed: 'user-action', selectedOption: option }),
    completed('theirs', { confirmed: 'user-action' }),
    completed('setting', { confirmed: 'setting' }),
    completed('free'),
    { ...completed('denied'), status: 'cancelled' as const, reason: 'denied' as const, reasonMessage: 'Not this one' },
  ];
  const decision = (callId: string, by: CallDecision['by'], approved = true): CallDecision => ({
    session: uri,
    turnId: 't',
    callId,
    about: 'call',
    approved,
    asked: decidedDigest(calls.find(({ toolCallId }) => toolCallId === callId)!),
    by,
    at: 0,
  });
  const decisions = [decision('mine', 'you'), decision('theirs', 'client'), decision('denied', 'you', false)];
  const facts = async () => {
    const rows = await view.page.locator('.tool-call').all();
    return Promise.all(rows.map(async (row) => (await row.locator('.decided').filter({ visible: true }).allTextContents()).join('|')));
  };

  for (const [theme, width] of [
    ['dark', 640],
    ['light', 280],
    ['highContrast', 640],
  ] as [ThemeName, number][]) {
    it(`says who decided, and claims nothing else, ${theme}, ${width} px`, async () => {
      await view.close();
      await open({ theme, width });
      await view.show(session({ turns: [turn('t', 'Go', calls.map(toolCall))] }));
      assert.deepEqual(await facts(), [`allowed: ${option.label}`, 'allowed', 'allowed by a setting of the host', '', '']);
      await view.send({ type: 'decisions', session: { hostId: 'embedded', uri }, decisions });
      const known = [
        `allowed by you: ${option.label}`,
        'allowed by another client',
        'allowed by a setting of the host',
        '',
        'denied by you',
      ];
      assert.deepEqual(await facts(), known);
      await view.screenshot(`trail-${theme}`);
      assert.deepEqual(await violations(), []);
      // Another host may have a session of the same URI.
      await view.send({ type: 'decisions', session: { hostId: 'other', uri }, decisions: [] });
      assert.deepEqual(await facts(), known);
    });
  }
});
