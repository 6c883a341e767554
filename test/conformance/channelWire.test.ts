/** Our types and schemas of AHP 1.0, against its reference and what real clients and hosts said to each other. */
import assert from 'node:assert/strict';
import type * as z from 'zod/mini';
import { type ActionEnvelope, clientActions, isClientDispatchable, type StateAction } from '../../src/ahp/channels/actions.ts';
import { channelReducers, type ChannelKind, type ChannelState } from '../../src/ahp/channels/channelReducers.ts';
import { clientNotificationParams, type Command, commandParams, type Snapshot } from '../../src/ahp/channels/commands.ts';
import { ErrorCode } from '../../src/ahp/common/errors.ts';
import type { Reducer } from '../../src/ahp/common/reducers/reducer.ts';
import { problemOf } from '../../src/host/checks/problem.ts';
import { channelActionTypes } from '../support/channelActionTypes.ts';
import { kindOfState } from '../support/channelState.ts';
import { describeShared, sharedLines } from '../support/shared.ts';
import { channelTranscripts, toldByHost, transcriptFrames } from '../support/transcript.ts';
import { type Wire, wireOf, wireValidator } from '../support/wireSchema.ts';

/** What 1.0.0 adds. */
const ADDED_HOST = [
  'session/chatsReordered',
  'chat/backgroundWorkSet',
  'chat/backgroundWorkRemoved',
  'chat/movableChanged',
  'chat/changesetsChanged',
  'chat/canvasesChanged',
  'canvas/stateChanged',
];
const ADDED_CLIENT = ['session/mcpServerBackgroundRequested', 'chat/isReadChanged', 'chat/isArchivedChanged'];
const ADDED_COMMANDS = ['moveChat'];
/** What 1.1.0 adds. */
const ADDED_FIELDS: Record<string, string[]> = {
  'chat/toolCallConfirmed#approved': ['startedAt?'],
  'chat/toolCallComplete': ['duration?'],
};

const shapeOf: Record<ChannelKind, string | undefined> = {
  root: 'RootState',
  session: 'SessionState',
  chat: 'ChatState',
  terminal: 'TerminalState',
  changeset: 'ChangesetState',
  annotations: 'AnnotationsState',
  resourceWatch: 'ResourceWatchState',
  automations: 'AutomationState',
  automationRun: 'AutomationRunState',
  canvas: undefined,
};

/** `name` or `name?`, as the reference writes them. */
function fieldsOf(schema: z.ZodMiniType): string[] {
  const { shape } = schema as unknown as { shape: Record<string, z.ZodMiniType> };
  return Object.entries(shape).map(([name, field]) => (field.safeParse(undefined).success ? `${name}?` : name));
}

function referenceFields(fields: Wire['notifications'][string]): string[] {
  return Object.keys(fields);
}

describeShared('the reference of AHP 1.0', (dir) => {
  const wire = wireOf(dir);
  const problem = wireValidator(wire);
  // An action that has two forms is listed twice.
  const types = [...new Set(Object.keys(wire.actions).map((type) => type.replace(/#.*/, '')))];

  it('has exactly the action types that we know, but for those of 1.0.0', () => {
    assert.equal(types.length, 96);
    assert.deepEqual([...channelActionTypes].sort(), [...types, ...ADDED_HOST, ...ADDED_CLIENT].sort());
  });

  it('says who may dispatch what', () => {
    const dispatchable = Object.entries(wire.actions).flatMap(([type, { clientDispatchable }]) =>
      clientDispatchable ? [type.replace(/#.*/, '')] : [],
    );
    assert.deepEqual(Object.keys(clientActions).sort(), [...new Set(dispatchable), ...ADDED_CLIENT].sort());
    for (const type of ['chat/delta', 'constructor', '__proto__', undefined, { toString: 1 }])
      assert.equal(isClientDispatchable(type), false);
  });

  it('has the fields of the actions that clients dispatch, but for those of 1.1.0', () => {
    for (const [name, { clientDispatchable, fields }] of Object.entries(wire.actions)) {
      if (!clientDispatchable) continue;
      const [type = '', form] = name.split('#');
      const schema = (clientActions as Record<string, z.ZodMiniType>)[type] as z.ZodMiniType;
      const one =
        form === undefined
          ? schema
          : (schema as unknown as { def: { options: z.ZodMiniType[] } }).def.options[form === 'approved' ? 0 : 1]!;
      assert.deepEqual(fieldsOf(one).sort(), ['type', ...referenceFields(fields), ...(ADDED_FIELDS[name] ?? [])].sort(), name);
    }
  });

  it('has the fields of the commands, but for those of 1.0.0', () => {
    const params: Record<string, z.ZodMiniType> = { ...commandParams, ...clientNotificationParams };
    assert.deepEqual(Object.keys(params).sort(), [...Object.keys(wire.commands), ...ADDED_COMMANDS].sort());
    for (const [method, command] of Object.entries(wire.commands)) {
      const expected = new Set(referenceFields(command.params));
      if (method === 'authenticate') expected.add('expiresIn?');
      // Real clients send `{}`, and real hosts answer.
      if (method === 'ping') {
        expected.delete('channel');
        expected.add('channel?');
      }
      assert.deepEqual(fieldsOf(params[method]!).sort(), [...expected].sort(), method);
    }
  });

  it('has our error codes', () => {
    for (const [code, text] of Object.entries(wire.errors)) {
      const name = text.split(' ')[0] as keyof typeof ErrorCode;
      if (/^-320\d\d$/.test(code) && name !== ('reserved' as string)) assert.equal(ErrorCode[name], Number(code), name);
    }
  });

  it('accepts what our reducers make of a real host', () => {
    let validated = 0;
    for (const name of channelTranscripts(dir)) {
      const states = new Map<string, ChannelState>();
      for (const { snapshots, envelope } of toldByHost<Snapshot, ActionEnvelope>(dir, name)) {
        for (const { resource, state } of snapshots) if (!states.has(resource)) states.set(resource, state);
        if (!envelope) continue;
        const { channel, action } = envelope;
        const state = states.get(channel);
        if (state === undefined) continue;
        const kind = kindOfState(state);
        const next = (channelReducers[kind] as unknown as Reducer<ChannelState, StateAction>)(state, action, 9999);
        states.set(channel, next);
        assert.equal(problem(shapeOf[kind] as string, next), undefined, `${name}, after ${action.type}`);
        validated++;
      }
    }
    assert(validated > 40, `${validated} states`);
  });

  it('accepts what our reducers make of random actions', () => {
    for (const [index, line] of sharedLines(dir, 'conformance/traces-0.9.jsonl').entries()) {
      const { reducer, now, initial, steps } = JSON.parse(line) as {
        reducer: ChannelKind;
        now: number;
        initial: ChannelState;
        steps: { actions: StateAction[] }[];
      };
      let state = initial;
      for (const action of steps.flatMap(({ actions }) => actions)) {
        state = (channelReducers[reducer] as unknown as Reducer<ChannelState, StateAction>)(state, action, now);
      }
      assert.equal(problem(shapeOf[reducer] as string, state), undefined, `line ${index + 1}`);
    }
  });

  it('has schemas for what a real host accepts', () => {
    const frames = channelTranscripts(dir).flatMap((name) => transcriptFrames(dir, name).map((frame) => ({ ...frame, name })));
    const answered = new Set(
      frames.flatMap(({ name, conn, dir: direction, message }) =>
        direction === 's2c' && message.result !== undefined ? [`${name} ${conn} ${String(message.id)}`] : [],
      ),
    );
    let [commands, actions] = [0, 0];
    for (const { name, conn, dir: direction, message } of frames) {
      const { method = '', params = {} } = message;
      if (direction === 'c2s' && answered.has(`${name} ${conn} ${String(message.id)}`) && Object.hasOwn(commandParams, method)) {
        assert.equal(problemOf(commandParams[method as Command], params), undefined, JSON.stringify(message));
        commands++;
      }
      const { action } = params as { action?: StateAction };
      if (action === undefined || !isClientDispatchable(action.type)) continue;
      assert.equal(problemOf(clientActions[action.type], action), undefined, JSON.stringify(message));
      actions++;
    }
    assert(commands > 15 && actions > 3, `${commands} commands, ${actions} actions`);
  });
});
