/** What AHP v1 says, upgraded, is what AHP 1.0 allows, and what did not change stays the same object. */
import assert from 'node:assert/strict';
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResourceState, Snapshot } from '../../src/ahp/v1/commands.ts';
import { reducerFor } from '../../src/ahp/v1/reducers/reduceAll.ts';
import type { RootState } from '../../src/ahp/v1/root.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import type { TerminalState } from '../../src/ahp/v1/terminal.ts';
import {
  upgradedChanges,
  upgradedChat,
  upgradedRoot,
  upgradedSession,
  upgradedSummary,
  upgradedTerminal,
} from '../../src/ahp/v1/upgrade.ts';
import { describeShared, sharedFiles, sharedJson, sharedLines } from '../support/shared.ts';
import { toldByHost, v1Transcripts } from '../support/transcript.ts';
import { wireOf, wireValidator } from '../support/wireSchema.ts';

const NOW = 9999;

interface ReducerCase {
  initial: ResourceState;
  expected: ResourceState;
}
type Kind = 'root' | 'session' | 'terminal';
const uris: Record<Kind, string> = { root: 'agenthost:/root', session: 'copilot:/1', terminal: 'agenthost-terminal:/1' };

function kindOf(state: ResourceState): Kind {
  return 'agents' in state ? 'root' : 'content' in state ? 'terminal' : 'session';
}

/** The reference wants to know when a turn in progress began. AHP v1 does not say it. */
function withStart(chat: ChatState): ChatState {
  return chat.activeTurn ? { ...chat, activeTurn: { startedAt: '', ...chat.activeTurn } } : chat;
}

describeShared('AHP v1, upgraded', (dir) => {
  const problem = wireValidator(wireOf(dir));

  const check = (state: ResourceState): void => {
    const valid = (shape: string, value: unknown): void =>
      assert.equal(problem(shape, value), undefined, `${shape} of ${JSON.stringify(state)}`);
    switch (kindOf(state)) {
      case 'root':
        return valid('RootState', upgradedRoot(state as RootState));
      case 'terminal':
        return valid('TerminalState', upgradedTerminal(state as TerminalState));
      case 'session': {
        const session = state as SessionState;
        valid('SessionState', upgradedSession(session));
        valid('ChatState', withStart(upgradedChat(session)));
        valid('SessionSummary', upgradedSummary(session.summary));
        valid('ChangesetState', upgradedChanges(session.summary));
      }
    }
  };

  /** The upgrades after an action share with those before all that the states share. */
  const assertShares = (before: ResourceState, after: ResourceState): void => {
    if (kindOf(before) !== 'session') return;
    const [old, next] = [before as SessionState, after as SessionState];
    const [oldChat, chat] = [upgradedChat(old), upgradedChat(next)];
    if (old.turns === next.turns) assert.equal(chat.turns, oldChat.turns);
    for (const [index, turn] of next.turns.entries()) if (turn === old.turns[index]) assert.equal(chat.turns[index], oldChat.turns[index]);
    const [oldParts, parts] = [old.activeTurn?.responseParts ?? [], next.activeTurn?.responseParts ?? []];
    for (const [index, part] of parts.entries()) {
      if (part === oldParts[index]) assert.equal(chat.activeTurn?.responseParts[index], oldChat.activeTurn?.responseParts[index]);
    }
  };

  it('the states of all reducer cases are valid', () => {
    for (const name of sharedFiles(dir, 'conformance/reducers-v1', /\.json$/)) {
      const text = JSON.stringify(sharedJson(dir, `conformance/reducers-v1/${name}`));
      // `null` stands for absent.
      const { initial, expected } = JSON.parse(text, (_key, value: unknown) => (value === null ? undefined : value)) as ReducerCase;
      for (const state of [initial, expected]) check(state);
    }
  });

  it('the states of all traces are valid, and share what did not change', () => {
    for (const line of sharedLines(dir, 'conformance/traces-v1.jsonl')) {
      const { reducer, initial, steps } = JSON.parse(line) as {
        reducer: Kind;
        initial: ResourceState;
        steps: { actions: StateAction[] }[];
      };
      let state = initial;
      for (const action of steps.flatMap(({ actions }) => actions)) {
        const next = reducerFor(uris[reducer])(state, action, NOW);
        assertShares(state, next);
        state = next;
      }
      check(state);
    }
  });

  it('the states of a real host are valid, and a delta leaves the session', () => {
    let deltas = 0;
    for (const name of v1Transcripts(dir)) {
      const states = new Map<string, ResourceState>();
      for (const { snapshots, envelope } of toldByHost<Snapshot, ActionEnvelope>(dir, name)) {
        for (const { resource, state } of snapshots) {
          if (!states.has(resource)) states.set(resource, state);
          check(state);
        }
        if (!envelope) continue;
        const { action } = envelope;
        const resource = resourceOf(action) ?? '';
        const state = states.get(resource);
        if (state === undefined) continue;
        const next = reducerFor(resource)(state, action, NOW);
        check(next);
        assertShares(state, next);
        states.set(resource, next);
        if (action.type !== 'session/delta') continue;
        assert.equal(upgradedSession(next as SessionState), upgradedSession(state as SessionState));
        deltas++;
      }
    }
    assert(deltas > 10, `${deltas} deltas`);
  });
});
