/** Answers the engine's permission requests: by the session's settings and grants, else by asking the person at the call that needs it. */
import type { PermissionRequest, PermissionRequestResult } from '@github/copilot-sdk';
import type { StringOrMarkdown } from '../../../ahp/v1/common.ts';
import { messageOf } from '../../../base/errors.ts';
import { code, markdownText } from '../markdown.ts';
import type { AgentSessionHost, AgentTurn, ConfirmationResult, ToolCallConfirmation } from '../agent.ts';
import { settingsOf } from './copilotOptions.ts';
import { grantsOf, keepGrant } from './grants.ts';
import {
  accessKey,
  accessOf,
  allowedByGrant,
  allowedBySettings,
  DENY,
  DENY_AND_STOP,
  grantOptions,
  ONCE,
  type Access,
} from './permissions.ts';
import type { SessionFiles } from './sessionFiles.ts';
import type { CommandIn } from './shellTools.ts';
import { shownPath } from './toolTexts.ts';
import { TurnCall, type TurnCalls } from './turnCalls.ts';

export class PermissionRequests {
  constructor(
    private readonly host: AgentSessionHost,
    private readonly files: SessionFiles,
    private readonly commandIn: CommandIn,
  ) {}

  /** Never rejects; what cannot be decided is denied, or left open in a turn that is cancelled. */
  async answer(request: PermissionRequest, turn: AgentTurn, calls: TurnCalls): Promise<PermissionRequestResult> {
    try {
      return await this.#decide(request, turn, calls);
    } catch (error) {
      // The engine takes the question back when it stops the turn; an answer that comes just then can keep it from stopping.
      if (turn.signal.aborted) return { kind: 'no-result' };
      // The turn is over, or what is asked for cannot even be looked at.
      this.host.logger.warn(`a permission request was denied: ${messageOf(error)}`);
      return { kind: 'reject', feedback: messageOf(error) };
    }
  }

  async #decide(request: PermissionRequest, turn: AgentTurn, calls: TurnCalls): Promise<PermissionRequestResult> {
    const { workingDirectory, state } = this.host;
    const access = await accessOf(request, workingDirectory, this.commandIn);
    const known = await calls.expect(request.toolCallId);
    if (known?.isOver) return { kind: 'reject', feedback: 'The call is over.' };
    const call = known ?? this.#callOf(request, turn);
    const key = accessKey(access);
    if (call.allowed.has(key)) return { kind: 'approve-once' };
    if (request.kind === 'write')
      call.change = await this.files.plan(
        access.kind === 'write' ? (access.real ?? access.asked) : request.fileName,
        request.newFileContents,
      );
    const managed = 'managedApprovalRequired' in request && request.managedApprovalRequired === true;
    if (!managed && (allowedBySettings(access, settingsOf(state)) || allowedByGrant(access, grantsOf(state)))) call.run('setting');
    else {
      const refused = await this.#ask(request, access, call);
      if (refused) return refused;
    }
    call.allowed.add(key);
    // A call of its own stands only for the permission.
    if (!known) call.complete({ success: true, pastTenseMessage: 'Allowed' });
    return { kind: 'approve-once' };
  }

  /** The refusal, or undefined when the person agrees. */
  async #ask(request: PermissionRequest, access: Access, call: TurnCall): Promise<PermissionRequestResult | undefined> {
    const granting = grantOptions(access, this.host.workingDirectory);
    const confirmation: ToolCallConfirmation = {
      ...call.ready,
      ...describe(request, access, call, this.host.workingDirectory),
      ...(call.change && { edits: { items: [call.change.edit] } }),
      options: [ONCE, ...granting.map(({ option }) => option), DENY, DENY_AND_STOP],
    };
    call.asked();
    const decision = await call.call.confirm(confirmation);
    if (!decision.approved) {
      call.over();
      return refusalOf(decision);
    }
    const chosen = granting.find(({ option }) => option.id === decision.option?.id);
    if (chosen) keepGrant(this.host, chosen.grant);
    return undefined;
  }

  /** For a request that belongs to no call. */
  #callOf(request: PermissionRequest, turn: AgentTurn): TurnCall {
    const call = turn.toolCall({ toolName: request.kind, displayName: 'Permission' });
    const entry = new TurnCall(request.kind, turn, call, this.host.workingDirectory, 'Permission');
    entry.setArguments(request);
    return entry;
  }
}

function refusalOf({ message, suggestion, option }: Extract<ConfirmationResult, { approved: false }>): PermissionRequestResult {
  const said = [message === undefined ? '' : markdownText(message), suggestion?.text ?? ''].filter((text) => text.trim() !== '').join('\n');
  if (said !== '') return { kind: 'reject', feedback: said };
  return option?.id === DENY_AND_STOP.id
    ? { kind: 'reject' }
    : { kind: 'reject', feedback: 'The user denied this. Do not try it again in another way without asking.' };
}

/** What will happen, in a line, and exactly. */
function describe(
  request: PermissionRequest,
  access: Access,
  call: TurnCall,
  workingDirectory: string,
): { confirmationTitle: StringOrMarkdown; toolInput?: string; invocationMessage?: StringOrMarkdown } {
  if (access.kind === 'command') {
    const warning = request.kind === 'shell' ? request.warning : undefined;
    return { confirmationTitle: warning ? `Run this command? ${warning}` : 'Run this command?', toolInput: access.text };
  }
  if (access.kind === 'input') {
    const { shellId, command, text } = access;
    const where = command === undefined ? `shell ${code(shellId)}` : `${code(command)}, which runs in shell ${code(shellId)}`;
    return { confirmationTitle: { markdown: `Type this into ${where}?` }, toolInput: text };
  }
  switch (request.kind) {
    case 'read':
    case 'write': {
      const path = access.kind === 'read' || access.kind === 'write' ? access : undefined;
      const asked = shownPath(path?.asked ?? '', workingDirectory);
      const where = path ? whereabouts(path) : '';
      const verb = request.kind === 'read' ? 'Read' : call.change?.before ? 'Change' : 'Create';
      return { confirmationTitle: { markdown: `${verb} ${code(asked)}${where}?` } };
    }
    case 'url':
      return {
        confirmationTitle: { markdown: `Fetch ${code(request.url)}?` },
        ...(request.redirectedFrom !== undefined && {
          invocationMessage: { markdown: `Following ${code(request.redirectedFrom)} to ${code(request.url)}` },
        }),
      };
    case 'mcp':
      return { confirmationTitle: { markdown: `Call ${code(request.toolTitle || request.toolName)} of ${code(request.serverName)}?` } };
    case 'custom-tool':
      return { confirmationTitle: { markdown: `Call ${code(call.toolName)}?` } };
    case 'memory':
      return { confirmationTitle: 'Remember this?', toolInput: request.fact };
    case 'hook':
      return { confirmationTitle: request.hookMessage ?? 'A hook wants you to decide about this call' };
    default:
      return { confirmationTitle: { markdown: `Allow ${code(String(request.kind))}?` } };
  }
}

/** What is to be said of a path besides itself. */
function whereabouts({ asked, real, inside, plain }: Extract<Access, { kind: 'read' | 'write' }>): string {
  if (real === undefined) return ', a path that may lead elsewhere';
  if (inside) return plain ? '' : `, which is ${code(real)}`;
  return `, outside the working directory${real === asked ? '' : ` (${code(real)})`}`;
}
