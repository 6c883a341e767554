/** Comments on files and the Copilot agent with its real engine: it makes and answers them, is told of those in a message, and moves them. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { Annotation } from '../../../src/ahp/channels/annotations.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { annotationsUri } from '../../../src/host/state/chatUris.ts';
import { lastUserText } from '../../fixtures/modelServer.ts';
import { eventually } from '../../fakes/eventually.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost } from './copilotHarness.ts';

const uri = 'copilot:/commented';

describe('comments and the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });

  it('are made, read, answered and resolved without a question, and stay at their lines when it edits', async () => {
    const talk = await host.session(client, { session: uri, config: { approvals: 'all' } });
    const other = await host.client({ clientId: 'channels' });
    const comments = other.model('annotations', annotationsUri(uri));
    await whenLive(comments);
    const path = host.file('a.ts', 'one\ntwo\nthree\n');
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
    const annotation: Annotation = {
      ...{ id: 'mine', origin: { session: uri }, resource: pathToFileURL(path).href, range, resolved: false },
      entries: [{ id: 'e', text: 'Why two?' }],
    };
    await comments.perform({ type: 'annotations/set', annotation }).settled;
    const told = () => String(host.model.requests.at(-1)?.messages.at(-1)?.content);

    host.model.reply([{ tool: 'listComments', args: {} }], [{ text: 'I see.' }]);
    await talk.say('Read them');
    assert.equal(told(), 'Comment `mine` on line 2 of `a.ts` (open):\n- user: Why two?');
    assert.equal((await talk.callTo('listComments', 'completed')).pastTenseMessage, 'Read comments');

    host.model.reply(
      [{ tool: 'replyToComment', args: { comment: 'mine', text: 'Because.' } }],
      [{ tool: 'resolveComments', args: { comments: ['mine'] } }],
      [{ tool: 'addComment', args: { path: 'a.ts', text: 'And this?', line: 3 } }],
      [{ tool: 'edit', args: { path, old_str: 'one', new_str: 'zero\none' } }],
      [{ text: 'Done.' }],
    );
    await talk.say('Answer them');
    const shown = () =>
      comments.confirmed?.annotations.map(({ resolved, range: at, entries }) => [
        ...[resolved, at?.start.line, at?.end.line],
        ...entries.map(({ text }) => (typeof text === 'string' ? text : text.markdown)),
      ]);
    assert.deepEqual(shown(), [
      [true, 2, 3, 'Why two?', 'Because.'],
      [false, 3, 4, 'And this?'],
    ]);
  });

  it('are told when a message refers to them', async () => {
    const chats = await host.client({ clientId: 'again' });
    const session = chats.session(uri);
    await whenLive(session);
    const chat = chats.chat(session.state?.defaultChat ?? '');
    await whenLive(chat);
    host.model.reply([{ text: 'I will.' }]);
    const attachments = [{ type: 'annotations' as const, label: 'Review', resource: annotationsUri(uri), annotationIds: ['mine'] }];
    await chat.send({ text: 'Look at it', attachments }).settled;
    await eventually(() => chat.state?.activeTurn === undefined && host.model.requests.length > 0, 'the end of the turn');
    assert.match(
      lastUserText(host.model.requests.at(-1)?.messages ?? []),
      /Comment `mine` on line \d of `.*a\.ts` \(resolved\):\n- user: Why two\?/,
    );
  });
});
