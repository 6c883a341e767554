/** The view models with the frames of a real host. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import type { Snapshot } from '../../src/ahp/v1/commands.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { sessionReducer } from '../../src/ahp/v1/reducers/sessionReducer.ts';
import { upgradedChat, upgradedSession } from '../../src/ahp/v1/upgrade.ts';
import { wellFormed } from '../../src/ahp/wellFormed/wellFormed.ts';
import { headerView } from '../../src/views/session/frame/header.ts';
import { plainText } from '../../src/views/text/inlineText.ts';
import { toolCallView } from '../../src/views/session/toolCall/toolCallView.ts';
import { turnViews } from '../../src/views/session/transcript/transcript.ts';
import { waitingOf } from '../../src/views/session/waiting/waiting.ts';
import { describeShared, sharedFiles } from '../support/shared.ts';

const FOLDER = 'conformance/transcripts';

describeShared('The view models, over the frames of VS Code 1.117', (shared) => {
  const files = sharedFiles(shared, FOLDER, /^117-.*\.jsonl$/);

  it('read every state and find nothing that they do not know', () => {
    const seen = { states: 0, summaries: new Set<string>(), waiting: new Set<string>() };
    for (const file of files) replay(readFileSync(join(shared, FOLDER, file), 'utf8'), (session) => look(session, seen));
    assert.ok(seen.states > 100, `only ${seen.states} states`);
    assert.ok(seen.summaries.has('Ran touch built.txt; echo building; sleep 0.5; echo done · exit 0'), [...seen.summaries].join('\n'));
    assert.ok(seen.waiting.has('call Run in terminal'), [...seen.waiting].join('\n'));
    assert.ok(seen.waiting.has('question Which colour?'), [...seen.waiting].join('\n'));
  });
});

function replay(text: string, onState: (session: SessionState) => void): void {
  const sessions = new Map<string, SessionState>();
  for (const line of text.split('\n').filter(Boolean)) {
    const { dir, raw } = JSON.parse(line) as { dir: string; raw?: string };
    if (dir !== 's2c' || raw === undefined || !raw.startsWith('{')) continue;
    const frame = JSON.parse(raw) as { method?: string; params?: { action?: StateAction }; result?: { snapshot?: Snapshot } };
    const snapshot = frame.result?.snapshot;
    if (snapshot && 'summary' in snapshot.state) sessions.set(snapshot.resource, snapshot.state);
    const action = frame.method === 'action' ? frame.params?.action : undefined;
    const uri = action && resourceOf(action);
    const session = uri === undefined ? undefined : sessions.get(uri);
    if (!action || uri === undefined || !session) continue;
    const next = sessionReducer(session, action, 0);
    sessions.set(uri, next);
    onState(next);
  }
}

function look(session: SessionState, seen: { states: number; summaries: Set<string>; waiting: Set<string> }): void {
  seen.states++;
  const open = { session: wellFormed.session(upgradedSession(session)), chat: wellFormed.chat(upgradedChat(session)) };
  headerView(open, undefined, 'host');
  for (const turn of turnViews(open.chat)) {
    for (const row of turn.rows) {
      assert.notEqual(row.kind, 'unknown', JSON.stringify(row));
      if (row.kind !== 'toolCall') continue;
      const view = toolCallView(row.call);
      assert.notEqual(view.phase, 'unknown', JSON.stringify(row.call));
      seen.summaries.add([view.summary.map((part) => part.text).join(''), ...view.facts].join(' · '));
    }
  }
  for (const item of waitingOf(open.chat)) {
    seen.waiting.add(
      item.kind === 'question'
        ? `question ${item.request.message}`
        : `${item.kind} ${'confirmationTitle' in item.call && item.call.confirmationTitle ? plainText(item.call.confirmationTitle) : ''}`,
    );
  }
}
