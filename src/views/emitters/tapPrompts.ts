/**
 * Commands of the composer that are words for the agent. A host that has no prompt of their name gets them as they were typed, with a part that
 * explains them to its model.
 */
import * as l10n from '../../base/l10n.ts';
import type { ContextItem } from '../session/composer/contextItems.ts';

export interface TapPrompt {
  name: string;
  /** What is typed after it. */
  argument: string;
  help: string;
}

export const tapPrompts: readonly TapPrompt[] = [
  { name: 'tap-monitor', argument: l10n.t('what'), help: l10n.t('The agent watches something and writes a review record of each finding') },
  {
    name: 'tap-orchestrate',
    argument: l10n.t('task'),
    help: l10n.t('The agent splits a task into roles, and goes on only past your gates'),
  },
  { name: 'tap-goal', argument: l10n.t('goal'), help: l10n.t('The agent works until a goal is reached, and proves it') },
];

/* eslint-disable texts/translated -- for the model */
const TOOLS =
  'The tools of the provider tap are meant: tap_start_emitter, tap_list_emitters, tap_stop_emitter, tap_set_event_filter, tap_stream_history, tap_post. If you do not have them, say so and do nothing else.';

const explanations: Readonly<Record<string, string>> = {
  'tap-monitor': `The message begins with /tap-monitor, a command of Tapline. What stands after it is to be watched.
1. Start one emitter for it with tap_start_emitter: a command with a runInterval, or one that runs on. Its eventFilter drops noise, keeps what may be of use later, and injects only what needs you.
2. Each time one of its lines reaches you, look at what it says, and write exactly one entry with tap_post into the stream "reviews". Its text begins with "REVIEW RECORD" and has these lines: "finding:", "evidence:" (the line, word by word), "verdict:" (ok, watch or act), "next:".
3. Change nothing beyond what the user has asked for. Where the verdict is "act", say what you would do, and wait for the user.
${TOOLS}`,
  'tap-orchestrate': `The message begins with /tap-orchestrate, a command of Tapline. You are the coordinator of the task that stands after it.
1. Write a plan first: at most five roles (such as builder, tester, reviewer), what each gets and hands back, and the gates between them. Wait for the user's yes.
2. Start an emitter for each role that has to look at something again and again, named "role-" and the role, with tap_start_emitter. A role that acts is a prompt, a role that observes is a command with an eventFilter.
3. A gate is passed only with evidence: a line of a stream (tap_stream_history), a file, or what a command has printed. Write each decision with tap_post into the stream "gates", beginning with "GATE", with its evidence.
4. At a gate that changes files outside the task, publishes or deletes something, ask the user. At the end stop all emitters that you have started.
${TOOLS}`,
  'tap-goal': `The message begins with /tap-goal, a command of Tapline. What stands after it is a goal.
1. Say in one sentence how one can see that it is reached, as something that can be checked: a file and what it has in it, a command and its output, a line of a stream.
2. Work towards it in small steps. After each step write with tap_post into the stream "goals": "GOAL", what you claim, and the evidence for it, word by word.
3. Do not say that it is reached before the check of the first step says so in this turn. What you have not checked is "unknown", not done. If you have tap_verify_goal_output, let it check, and state its verdict.
${TOOLS}`,
};
/* eslint-enable texts/translated */

/** The part that explains the command with which a message begins. Undefined where it begins with none. `own`: names of prompts of the host. */
export function explanationOf(text: string, own: Iterable<string> = []): ContextItem | undefined {
  const [, name = ''] = /^\/([a-z-]+)(?=\s|$)/.exec(text.trimStart()) ?? [];
  const explanation = Object.hasOwn(explanations, name) ? explanations[name] : undefined;
  return explanation === undefined || new Set(own).has(name) ? undefined : { provider: 'tap', title: `/${name}`, text: explanation };
}
