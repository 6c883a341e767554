/** Answers the engine's permission requests, by the session's settings and grants or by asking the user at the tool call. */
import { homedir } from 'node:os';
import type { PermissionRequest, PermissionRequestResult } from '@github/copilot-sdk';
import { grantsOf, keepGrant } from '../../../../ahp/grants.ts';
import type { FileEdit, StringOrMarkdown } from '../../../../ahp/common/shapes.ts';
import { englishOf } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { grantsIn } from '../../grantsIn.ts';
import { code, markdownText } from '../../markdown.ts';
import type { AgentChatHost, AgentTurn, ConfirmationResult, ToolCallConfirmation } from '../../agent.ts';
import { settingsOf } from '../copilotOptions.ts';
import {
  accessKey,
  accessOf,
  allowedByGrant,
  allowedBySettings,
  DENY,
  DENY_AND_STOP,
  grantOptions,
  ONCE,
  touched,
  type Access,
  type Path,
  type Write,
} from './permissions.ts';
import { lentTool, onlyReads } from './lentTool.ts';
import type { SessionFiles } from '../files/sessionFiles.ts';
import type { CommandIn } from '../shell/shellTools.ts';
import { shownPath } from '../turn/toolTexts.ts';
import type { OwnModules } from './runsLater.ts';
import { newFolders } from './writeReason.ts';
import { TurnCall, type TurnCalls } from '../turn/turnCalls.ts';

// eslint-disable-next-line texts/translated -- for the model
const DENIED = 'The user denied this. Do not try it again in another way without asking.';

export class PermissionRequests {
  /** Folders that were new when something was written into them unasked. Git tracks nothing in them yet. */
  readonly #made = new Set<string>();

  constructor(
    private readonly host: AgentChatHost,
    private readonly files: SessionFiles,
    private readonly commandIn: CommandIn,
    /** Folders of Tapline's own. */
    private readonly ownFolders: readonly string[],
    private readonly ownModules: OwnModules,
  ) {}

  /** Never rejects. What cannot be decided is denied, or left unanswered in a turn that is cancelled. */
  async answer(request: PermissionRequest, turn: AgentTurn, calls: TurnCalls): Promise<PermissionRequestResult> {
    try {
      return await this.#decide(request, turn, calls);
    } catch (error) {
      // The engine withdraws the request when it stops the turn. An answer at that moment can keep it from stopping.
      if (turn.signal.aborted) return { kind: 'no-result' };
      // The turn is over, or the request cannot be checked.
      this.host.logger.warn(`a permission request was denied: ${englishOf(error)}`);
      return { kind: 'reject', feedback: englishOf(error) };
    }
  }

  async #decide(request: PermissionRequest, turn: AgentTurn, calls: TurnCalls): Promise<PermissionRequestResult> {
    const known = await calls.expect(request.toolCallId);
    // eslint-disable-next-line texts/translated -- for the model
    if (known?.isOver) return { kind: 'reject', feedback: 'The call is over.' };
    const verdict = await known?.check();
    if (verdict?.allowed === false) return { kind: 'reject', feedback: verdict.message };
    // Files and tools may have changed while the rules were asked.
    const access = await this.#accessOf(request, calls);
    const call = known ?? this.#callOf(request, access, turn);
    const key = accessKey(access);
    if (call.allowed.has(key)) return { kind: 'approve-once' };
    const edits = request.kind === 'write' && access.kind === 'write' ? await this.#plan(access, request.newFileContents, call) : [];
    // What was allowed may have been taken back while the rules were asked.
    const { sessionState } = this.host;
    const managed = 'managedApprovalRequired' in request && request.managedApprovalRequired === true;
    if (!managed && (allowedBySettings(access, settingsOf(sessionState)) || allowedByGrant(access, grantsOf(sessionState)))) {
      call.run('setting');
      if (access.kind === 'write' && access.real !== undefined)
        for (const folder of await newFolders(access.real, this.#made)) this.#made.add(folder);
    } else {
      const refused = await this.#ask(request, access, call, edits);
      if (refused) return refused;
    }
    call.allowed.add(key);
    // This call exists only for the permission.
    if (!known) call.complete({ success: true, pastTenseMessage: l10n.t('Allowed') });
    return { kind: 'approve-once' };
  }

  #accessOf(request: PermissionRequest, calls: TurnCalls): Promise<Access> {
    const { workingDirectory, lenders } = this.host;
    const { files, folders } = this.ownModules;
    const own = [...this.ownFolders, ...files];
    const places = { workingDirectory, home: homedir(), own, moduleFolders: [...folders], made: this.#made };
    const lent = (name: string) => lentTool(calls.clientTool(name), lenders);
    return accessOf(request, places, this.commandIn, lent, (name, args) => onlyReads(calls.clientTool(name), lenders, args));
  }

  /** Records at the call what it will do to files. */
  async #plan(write: Write, newText: string | undefined, call: TurnCall): Promise<FileEdit[]> {
    const edits: FileEdit[] = [];
    for (const { real, asked, deletes } of touched(write)) {
      const change = await this.files.plan(real ?? asked, deletes ? undefined : newText);
      // The file is unchanged when the same call asks a second time.
      if (!call.changes.has(change.path)) call.changes.set(change.path, change);
      edits.push(change.edit);
    }
    return edits;
  }

  /** The refusal, or undefined when the user agrees. */
  async #ask(request: PermissionRequest, access: Access, call: TurnCall, edits: FileEdit[]): Promise<PermissionRequestResult | undefined> {
    const granting = grantOptions(access, this.host.workingDirectory);
    const confirmation: ToolCallConfirmation = {
      ...call.ready,
      ...describe(request, access, call, edits, this.host.workingDirectory),
      ...(edits.length > 0 && { edits: { items: edits } }),
      options: [ONCE, ...granting.map(({ option }) => option), DENY, DENY_AND_STOP],
    };
    call.asked();
    const decision = await call.call.confirm(confirmation);
    if (!decision.approved) {
      call.over();
      return refusalOf(decision);
    }
    const chosen = granting.find(({ option }) => option.id === decision.option?.id);
    if (chosen) keepGrant(grantsIn(this.host), chosen.grant);
    return undefined;
  }

  /** For a request that belongs to no call. */
  #callOf(request: PermissionRequest, access: Access, turn: AgentTurn): TurnCall {
    const kind = access.kind === 'command' ? 'terminal' : access.kind === 'input' ? 'typing' : undefined;
    const displayName = l10n.t('Permission');
    const call = turn.toolCall({ toolName: request.kind, displayName, ...(kind && { _meta: { toolKind: kind } }) });
    const entry = new TurnCall(request.kind, turn, call, this.host.workingDirectory, displayName);
    entry.setArguments(request);
    return entry;
  }
}

function refusalOf({ message, suggestion, option }: Extract<ConfirmationResult, { approved: false }>): PermissionRequestResult {
  const said = [message === undefined ? '' : markdownText(message), suggestion?.text ?? ''].filter((text) => text.trim() !== '').join('\n');
  if (said !== '') return { kind: 'reject', feedback: said };
  return option?.id === DENY_AND_STOP.id ? { kind: 'reject' } : { kind: 'reject', feedback: DENIED };
}

/** Says exactly what will happen, on one line. */
function describe(
  request: PermissionRequest,
  access: Access,
  call: TurnCall,
  edits: readonly FileEdit[],
  workingDirectory: string,
): { confirmationTitle: StringOrMarkdown; toolInput?: string; invocationMessage?: StringOrMarkdown } {
  if (access.kind === 'command') {
    const warning = request.kind === 'shell' && request.warning ? [request.warning] : [];
    return { confirmationTitle: l10n.sentencesText([l10n.t('Run this command?'), ...warning]), toolInput: access.text };
  }
  if (access.kind === 'input') {
    const { shellId, command, text } = access;
    const markdown =
      command === undefined
        ? l10n.t`Type this into shell ${code(shellId)}?`
        : l10n.t`Type this into ${code(command)}, which runs in shell ${code(shellId)}?`;
    return { confirmationTitle: { markdown }, toolInput: text };
  }
  if (access.kind === 'read') return { confirmationTitle: { markdown: l10n.t`Read ${placeOf(access, workingDirectory)}?` } };
  if (access.kind === 'write') {
    return { confirmationTitle: { markdown: writeTitle(access, edits[0]?.before !== undefined, workingDirectory) } };
  }
  switch (request.kind) {
    case 'url':
      return {
        confirmationTitle: { markdown: l10n.t`Fetch ${code(request.url)}?` },
        ...(request.redirectedFrom !== undefined && {
          invocationMessage: { markdown: l10n.t`Following ${code(request.redirectedFrom)} to ${code(request.url)}` },
        }),
      };
    case 'mcp':
      return {
        confirmationTitle: { markdown: l10n.t`Call ${code(request.toolTitle || request.toolName)} of ${code(request.serverName)}?` },
      };
    case 'custom-tool':
      return { confirmationTitle: { markdown: l10n.t`Call ${code(call.toolName)}?` } };
    case 'memory':
      return { confirmationTitle: l10n.t('Remember this?'), toolInput: JSON.stringify({ fact: request.fact }) };
    case 'hook':
      return { confirmationTitle: request.hookMessage ?? l10n.t('A hook wants you to decide about this call') };
    default:
      return { confirmationTitle: { markdown: l10n.t`Allow ${code(String(request.kind))}?` } };
  }
}

/** Markdown. */
export function writeTitle(write: Write, exists: boolean, workingDirectory: string): string {
  const { from, deletes, mayTouchMore } = write;
  const one = placeOf(write, workingDirectory);
  const place = mayTouchMore ? l10n.t`${one}, and perhaps other files` : one;
  const reasons = new Set(touched(write).flatMap(({ reasonToAsk }) => reasonToAsk ?? []));
  return l10n.sentencesText([
    from
      ? moveTitle(from, place, workingDirectory)
      : deletes
        ? l10n.t`Delete ${place}?`
        : exists
          ? l10n.t`Change ${place}?`
          : l10n.t`Create ${place}?`,
    ...[...reasons].map((reason) => l10n.t`${reason}, so you are asked each time.`),
  ]);
}

function moveTitle(from: Path, to: string, workingDirectory: string): string {
  const [bare, place] = [bareOf(from, workingDirectory), placeOf(from, workingDirectory)];
  // The comma that begins what is said of the first place has to be followed by another one.
  return place === bare ? l10n.t`Move ${place} to ${to}?` : l10n.t`Move ${place}, to ${to}?`;
}

function bareOf({ asked }: Path, workingDirectory: string): string {
  return code(shownPath(asked, workingDirectory));
}

/** With what must be said about a path besides the path itself. */
function placeOf(path: Path, workingDirectory: string): string {
  const { asked, real, inside, plain } = path;
  const bare = bareOf(path, workingDirectory);
  if (real === undefined) return l10n.t`${bare}, a path that may lead elsewhere`;
  if (inside) return plain ? bare : l10n.t`${bare}, which is ${code(real)}`;
  return real === asked ? l10n.t`${bare}, outside the working directory` : l10n.t`${bare}, outside the working directory (${code(real)})`;
}
