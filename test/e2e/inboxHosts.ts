/** The hosts of the inbox's test: two real ones and a fake one, for what the demo agent cannot ask. */
import { pathToFileURL } from 'node:url';
import { dirname, join } from 'node:path';
import { whenLive } from '../../src/ahp/index.ts';
import { ErrorCode } from '../../src/ahp/v1/errors.ts';
import { ROOT_URI } from '../../src/ahp/v1/root.ts';
import { type SessionState, SessionStatus } from '../../src/ahp/v1/session.ts';
import type { ToolCallState } from '../../src/ahp/v1/toolCall.ts';
import { RpcError } from '../../src/base/jsonRpc.ts';
import { readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { FakeHost } from '../fakes/fakeHost.ts';
import type { StartedTapline } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';

/** A client of the host that the window has started. */
export async function ownHost({ workspace }: StartedTapline): Promise<V1Client> {
  const record = readDaemonRecord(join(dirname(workspace), 'home/host.lock.json'));
  if (!record) throw new Error('The built-in host does not run.');
  return V1Client.connect({ url: record.url, token: record.token });
}

/** A demo session with a turn that soon waits. */
export async function startSession(client: V1Client, uri: string, text: string, workspace: string): Promise<void> {
  await client.request('createSession', { session: uri, provider: 'demo', workingDirectory: pathToFileURL(workspace).href });
  await whenLive(client.subscribeSession(uri));
  const { settled } = client.dispatch(uri, { type: 'session/turnStarted', session: uri, turnId: 't', userMessage: { text } });
  if ((await settled).kind !== 'confirmed') throw new Error(`The turn of ${uri} did not start.`);
}

/** The calls of the last turn, and the text of its answer. */
export function lastTurn(client: V1Client, uri: string): { isOver: boolean; calls: ToolCallState[]; text: string } {
  const state = client.subscribeSession(uri).state;
  const parts = (state?.activeTurn ?? state?.turns.at(-1))?.responseParts ?? [];
  return {
    isOver: state !== undefined && state.activeTurn === undefined,
    calls: parts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])),
    text: parts.flatMap((part) => (part.kind === 'markdown' ? [part.content] : [])).join(''),
  };
}

export const RESULT = 'fake:/result';
export const TASK = 'fake:/task';
export const SUBAGENT = `${TASK}/subagent/start`;

/** Not a real agent: a host that lists a result and a subagent's call once it has an account. */
export class CloudHost extends FakeHost {
  constructor() {
    super();
    const protectedResources = [{ resource: 'https://api.github.com' }];
    this.states.set(ROOT_URI, {
      agents: [{ provider: 'fake', displayName: 'Fake', description: '', models: [], protectedResources }],
    });
    const call = { toolName: 'bash', displayName: 'Run command', invocationMessage: '', toolInput: 'cat secret.txt' };
    const result: ToolCallState = {
      ...call,
      toolCallId: 'read',
      status: 'pending-result-confirmation',
      confirmed: 'user-action',
      success: true,
      pastTenseMessage: 'Read secret.txt',
      content: [{ type: 'text', text: 'the secret' }],
    };
    const starts: ToolCallState = {
      ...call,
      toolCallId: 'start',
      toolName: 'task',
      displayName: 'Start subagent',
      status: 'running',
      confirmed: 'not-needed',
      content: [{ type: 'subagent', resource: SUBAGENT, title: 'Look around' }],
    };
    const waits: ToolCallState = { ...call, toolCallId: 'look', toolInput: 'ls -la', status: 'pending-confirmation' };
    this.#add(RESULT, 'Read the secret', SessionStatus.InputNeeded, result);
    this.#add(TASK, 'Look at the folder', SessionStatus.InProgress, starts);
    this.#add(SUBAGENT, 'Look around', SessionStatus.InputNeeded, waits);
    this.methods['listSessions'] = () => {
      throw new RpcError(ErrorCode.AuthRequired, 'Sign in first');
    };
  }

  /** From the next connection on, it lists its sessions. */
  signIn(): void {
    this.methods['listSessions'] = () => ({ items: [RESULT, TASK].map((uri) => (this.states.get(uri) as SessionState).summary) });
  }

  /** The answers, as `type: session call approved`. */
  get answers(): string[] {
    return this.paramsOf('dispatchAction').map(({ action }) => `${action.type}: ${action.session} ${action.toolCallId} ${action.approved}`);
  }

  #add(resource: string, title: string, status: number, toolCall: ToolCallState): void {
    const summary = { resource, provider: 'fake', title, status, createdAt: 1, modifiedAt: Date.now() };
    const activeTurn = { id: 't', userMessage: { text: title }, responseParts: [{ kind: 'toolCall' as const, toolCall }] };
    this.states.set(resource, { summary, lifecycle: 'ready', turns: [], activeTurn });
  }
}
