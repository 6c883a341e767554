import assert from 'node:assert/strict';
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../v1/actions.ts';
import type { SessionState } from '../../v1/session.ts';
import { decidedDigest } from '../../decidedDigest.ts';
import type { ToolCallState } from '../../v1/toolCall.ts';
import type { Envelope } from '../../common/pending/envelope.ts';
import { channelDialect } from '../channels/channelDialect.ts';
import { v1Dialect } from './v1Dialect.ts';

const decisionsIn = (before: object, envelopes: readonly Envelope[]) => v1Dialect.decisionsIn('session', before, envelopes);

const session = 'demo:/1';
const me = { clientId: 'me', clientSeq: 4 };
const you = { clientId: 'you', clientSeq: 1 };
let seq = 0;
const envelope = (action: object, origin?: ActionOrigin): ActionEnvelope => ({
  action: { session, turnId: 't', ...action } as StateAction,
  serverSeq: ++seq,
  ...(origin && { origin }),
});
const answer = (toolCallId: string, approved: boolean, origin?: ActionOrigin) =>
  envelope({ type: 'session/toolCallConfirmed', toolCallId, approved }, origin);
const started = (toolCallId: string) => envelope({ type: 'session/toolCallStart', toolCallId, toolName: '' });
const waiting = (toolCallId: string, status = 'pending-confirmation') =>
  ({ activeTurn: { id: 't', responseParts: [{ kind: 'toolCall', toolCall: { toolCallId, status } }] } }) as unknown as SessionState;

const asked = (invocationMessage: unknown, toolInput?: string, optionId?: string) =>
  decidedDigest({ invocationMessage, toolInput, selectedOption: { id: optionId } } as unknown as ToolCallState);

describe('decisionsIn', () => {
  it('tells who answered a call that waits', () => {
    assert.deepEqual(decisionsIn(waiting('c'), [answer('c', true, me)]), [
      { turnId: 't', callId: 'c', about: 'call', approved: true, asked: asked(''), origin: me },
    ]);
    assert.deepEqual(decisionsIn(waiting('c'), [answer('c', false)]), [
      { turnId: 't', callId: 'c', about: 'call', approved: false, asked: asked('') },
    ]);
  });

  it('counts the first answer only, as the state does', () => {
    const found = decisionsIn(waiting('c'), [answer('c', false, you), answer('c', true, me)]);
    assert.deepEqual(
      found.map(({ origin, approved }) => [origin, approved]),
      [[you, false]],
    );
    assert.deepEqual(decisionsIn(waiting('c', 'running'), [answer('c', true, me)]), []);
  });

  it('has calls that a setting allows, which never wait, and not those about which nobody is asked', () => {
    const start = envelope({ type: 'session/toolCallStart', toolCallId: 'c', toolName: 'bash' });
    const ready = (confirmed: string) => envelope({ type: 'session/toolCallReady', toolCallId: 'c', invocationMessage: 'x', confirmed });
    assert.deepEqual(decisionsIn({}, [start, ready('setting')]), [
      { turnId: 't', callId: 'c', tool: 'bash', about: 'call', approved: true, asked: asked('x'), bySetting: true },
    ]);
    assert.deepEqual(decisionsIn({}, [start, ready('not-needed')]), []);
  });

  it('has nothing that the state does not take: of calls that are unknown, over, or run already, or whose turn has ended', () => {
    const ready = (confirmed?: string) => envelope({ type: 'session/toolCallReady', toolCallId: 'c', invocationMessage: 'x', confirmed });
    assert.deepEqual(decisionsIn({}, [ready('setting')]), []);
    for (const status of ['completed', 'cancelled', 'pending-confirmation'])
      assert.deepEqual(decisionsIn(waiting('c', status), [ready('setting')]), [], status);
    const found = decisionsIn({}, [started('c'), ready(), ready('setting'), answer('c', false, you)]);
    assert.deepEqual(
      found.map(({ approved, origin, bySetting }) => [approved, origin, bySetting]),
      [[false, you, undefined]],
      'in AHP v1 a call that waits goes on waiting',
    );
    const ended = envelope({ type: 'session/turnCancelled' });
    assert.deepEqual(decisionsIn(waiting('c'), [ended, answer('c', true, you)]), []);
  });

  it('has no late answer to a call that a setting has allowed meanwhile', () => {
    const asChat = ({ action, ...rest }: ActionEnvelope, type: string): Envelope => ({ ...rest, action: { ...action, type } });
    const ready = (confirmed?: string) =>
      asChat(envelope({ type: 'x', toolCallId: 'c', invocationMessage: 'x', confirmed }), 'chat/toolCallReady');
    const late = asChat(answer('c', false, you), 'chat/toolCallConfirmed');
    for (const [before, first] of [
      [{}, [asChat(started('c'), 'chat/toolCallStart'), ready()]],
      [waiting('c'), []],
    ] as const) {
      const found = channelDialect.decisionsIn('chat', before, [...first, ready('setting'), late]);
      assert.deepEqual(
        found.map(({ approved, bySetting }) => [approved, bySetting]),
        [[true, true]],
      );
    }
  });

  it('follows calls that begin to wait, again too, and results', () => {
    const ready = envelope({ type: 'session/toolCallReady', toolCallId: 'c', invocationMessage: 'x' });
    const complete = envelope({ type: 'session/toolCallComplete', toolCallId: 'c', requiresResultConfirmation: true, result: {} });
    const result = envelope({ type: 'session/toolCallResultConfirmed', toolCallId: 'c', approved: false }, you);
    const found = decisionsIn({}, [started('c'), ready, answer('c', true, me), ready, answer('c', true, you), complete, result]);
    assert.deepEqual(
      found.map(({ about, approved, origin }) => [about, approved, origin?.clientId]),
      [
        ['call', true, 'me'],
        ['call', true, 'you'],
        ['result', false, 'you'],
      ],
    );
  });

  it('says what was decided about: the input as it runs, and the option', () => {
    const options = [{ id: 'once', label: 'Once', kind: 'approve' }];
    const ready = (toolInput: string) =>
      envelope({ type: 'session/toolCallReady', toolCallId: 'c', invocationMessage: { markdown: 'x' }, toolInput, options });
    const yes = (fields: object = {}) =>
      envelope({ type: 'session/toolCallConfirmed', toolCallId: 'c', approved: true, confirmed: 'user-action', ...fields }, me);
    const done = envelope({ type: 'session/toolCallComplete', toolCallId: 'c', requiresResultConfirmation: true, result: {} });
    const given = envelope({ type: 'session/toolCallResultConfirmed', toolCallId: 'c', approved: true }, me);
    const found = decisionsIn({}, [
      ...[
        started('c'),
        ready('a'),
        yes(),
        ready('b'),
        yes({ selectedOptionId: 'once' }),
        ready('c'),
        yes({ editedToolInput: 'd', selectedOptionId: 'none' }),
      ],
      ...[done, given],
    ]);
    assert.deepEqual(
      found.map((one) => one.asked),
      [asked('x', 'a'), asked('x', 'b', 'once'), asked('x', 'd'), undefined],
    );
    const before = waiting('c');
    Object.assign((before.activeTurn as never as { responseParts: { toolCall: object }[] }).responseParts[0]!.toolCall, {
      invocationMessage: 7,
      toolInput: 'ls',
      options: [null],
    });
    assert.equal(decisionsIn(before, [yes({ selectedOptionId: 'once' })])[0]?.asked, asked('', 'ls'));
  });

  it('names the tool, where the call has one', () => {
    const before = waiting('c');
    Object.assign((before.activeTurn as never as { responseParts: { toolCall: object }[] }).responseParts[0]!.toolCall, {
      toolName: 'bash',
    });
    assert.equal(decisionsIn(before, [answer('c', true)])[0]?.tool, 'bash');
    const start = envelope({ type: 'session/toolCallStart', toolCallId: 'd', toolName: 'edit' });
    const ready = envelope({ type: 'session/toolCallReady', toolCallId: 'd', invocationMessage: 'x' });
    assert.equal(decisionsIn({}, [start, ready, answer('d', true)])[0]?.tool, 'edit');
  });

  it('has none about a call whose id is none, whatever else is decided with it', () => {
    const call = (toolCallId: unknown) => ({ kind: 'toolCall', toolCall: { toolCallId, status: 'pending-confirmation' } });
    const both = { activeTurn: { id: 't', responseParts: [call(7), call('c')] } };
    const seven = answer(7 as never, true);
    assert.deepEqual(decisionsIn(both, [seven]), []);
    for (const envelopes of [
      [seven, answer('c', true)],
      [answer('c', true), seven],
    ])
      assert.deepEqual(
        decisionsIn(both, envelopes).map(({ callId }) => callId),
        ['c'],
      );
  });

  it('knows nothing of calls that were not asked about, and survives malformed states', () => {
    const ready = envelope({ type: 'session/toolCallReady', toolCallId: 'c', invocationMessage: 'x', confirmed: 'not-needed' });
    assert.deepEqual(decisionsIn({}, [started('c'), ready, answer('c', true, me)]), []);
    assert.deepEqual(decisionsIn({ activeTurn: { responseParts: [null, { kind: 'toolCall' }] } as never }, [answer('c', true)]), []);
    assert.deepEqual(decisionsIn({ activeTurn: { responseParts: 'x' } as never }, [answer('c', true)]), []);
  });
});
