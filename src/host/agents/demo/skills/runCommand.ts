import { runsUnasked } from '../demoOptions.ts';
import { grantsOf, keepGrant } from '../../../../ahp/grants.ts';
import type { StringOrMarkdown } from '../../../../ahp/common/shapes.ts';
import type { ConfirmationOption, ToolDefinition, ToolResultContent } from '../../../../ahp/common/tools.ts';
import { messageOf } from '../../../../base/errors.ts';
import * as l10n from '../../../../base/l10n.ts';
import { plainTerminalText } from '../../../../base/text/plainTerminalText.ts';
import type { AgentToolCall, RunningCommand } from '../../agent.ts';
import { grantsIn } from '../../grantsIn.ts';
import { code, codeBlock } from '../../markdown.ts';
import { begin } from '../begin.ts';
import { refusal } from '../refusal.ts';
import type { Skill, SkillContext } from '../skill.ts';

export const runCommandTool: ToolDefinition = {
  name: 'run_command',
  title: l10n.t('Run command'),
  description: l10n.t('Runs one command line in the working directory. Its input is the command line itself.'),
  annotations: { destructiveHint: true, openWorldHint: true },
};

const ONCE: ConfirmationOption = { id: 'once', label: l10n.t('Run once'), kind: 'approve', group: 0 };
const SESSION: ConfirmationOption = {
  id: 'session',
  label: l10n.t('Run commands in this session without asking'),
  kind: 'approve',
  group: 0,
};
const DENY: ConfirmationOption = { id: 'deny', label: l10n.t('Deny'), kind: 'deny', group: 1 };

/** Lines and characters of output in the answer. */
const QUOTED_LINES = 20;
const QUOTED_CHARACTERS = 4000;

export const runSkill: Skill = {
  name: 'run',
  parameters: '<command>',
  summary: l10n.t(
    'Asks, then really runs the command in the working directory, in a terminal that you can watch. With `&` at its end, it goes on after the turn',
  ),
  async run(context) {
    const { argument, turn, voice } = context;
    if (argument === '') {
      await voice.say(l10n.t('Say which command, for example `run git status`.'));
      return;
    }
    const call = turn.toolCall({ toolName: runCommandTool.name, displayName: l10n.t('Run command'), _meta: { toolKind: 'terminal' } });
    await voice.writeInput(call, argument);
    const commandLine = await permission(context, call);
    if (commandLine !== undefined) await runAndReport(context, call, commandLine);
  },
};

/** The command line as the user left it. Undefined when it was denied. */
async function permission({ argument, host, turn, voice }: SkillContext, call: AgentToolCall): Promise<string | undefined> {
  const ready = { invocationMessage: { markdown: l10n.t`Running ${code(argument)}` }, toolInput: argument };
  if (runsUnasked(host.sessionState) || grantsOf(host.sessionState).some(({ kind }) => kind === 'everyCommand')) {
    return (await begin(voice, call, ready, 'setting')) ? argument : undefined;
  }
  const decision = await call.confirm({
    ...ready,
    confirmationTitle: l10n.t('Run this command?'),
    editable: true,
    options: [ONCE, SESSION, DENY],
  });
  if (!decision.approved) {
    await voice.say(l10n.sentencesText([refusal(decision), l10n.t`I did not run ${code(argument)}.`]));
    return undefined;
  }
  if (decision.option?.id === SESSION.id) keepGrant(grantsIn(host), { kind: 'everyCommand', turnId: turn.id });
  return decision.toolInput ?? argument;
}

async function runAndReport({ host, turn, voice }: SkillContext, call: AgentToolCall, line: string): Promise<void> {
  const trimmed = line.trimEnd();
  // As in a shell.
  const goesOn = trimmed.endsWith('&') && !trimmed.endsWith('&&');
  const commandLine = goesOn ? trimmed.slice(0, -1).trimEnd() : line;
  let running: RunningCommand;
  try {
    running = await host.runCommand({
      turn,
      toolCallId: call.id,
      commandLine,
      title: commandLine.slice(0, 80),
    });
  } catch (error) {
    turn.signal.throwIfAborted();
    const message = messageOf(error);
    call.complete({ success: false, pastTenseMessage: { markdown: l10n.t`Could not start ${code(commandLine)}` }, error: { message } });
    await voice.say(l10n.t`The command could not be started: ${message}`);
    return;
  }
  const terminal: ToolResultContent = { type: 'terminal', resource: running.terminal, title: commandLine.slice(0, 80) };
  call.setContent([terminal]);
  if (goesOn) {
    call.complete({
      success: true,
      pastTenseMessage: { markdown: l10n.t`Started ${code(commandLine)}, which goes on` },
      content: [terminal],
    });
    await voice.say(l10n.t('I do not wait for the command. It goes on after this turn.'));
    return;
  }
  const started = Date.now();
  const { exitCode, output } = await running.finished;
  turn.signal.throwIfAborted();
  const seconds = Math.round((Date.now() - started) / 1000);
  const ending = exitCode === undefined ? l10n.t('ended by a signal') : l10n.t`exit ${exitCode}`;
  const tail = tailOf(output);
  const pastTenseMessage: StringOrMarkdown = { markdown: l10n.t`Ran ${code(commandLine)} · ${ending} · ${seconds} s` };
  call.complete({
    success: exitCode === 0,
    pastTenseMessage,
    content: [terminal, { type: 'text', text: tail }],
    structuredContent: { exitCode: exitCode ?? null },
    ...(exitCode !== 0 && { error: { message: endText(exitCode) } }),
  });
  const quoted = tail === '' ? l10n.t('It printed nothing.') : `${l10n.t('The end of what it printed:')}\n\n${codeBlock(tail, 'text')}`;
  await voice.say(l10n.sentencesText([l10n.t`The command ended: **${ending}**.`, quoted]));
}

function endText(exitCode: number | undefined): string {
  return exitCode === undefined ? l10n.t('The command was ended by a signal.') : l10n.t`The command ended with exit code ${exitCode}.`;
}

/** The last lines as plain text. */
function tailOf(output: string): string {
  return plainTerminalText(output).trimEnd().split('\n').slice(-QUOTED_LINES).join('\n').slice(-QUOTED_CHARACTERS);
}
