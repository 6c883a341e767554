/** All calls of a session and its subagents about which somebody decided, in order, as a text. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { oneLine } from '../../text/oneLine.ts';
import { visibleText } from '../../text/visibleText.ts';
import { toolCallLabel, toolCallView } from '../toolCall/toolCallView.ts';
import { type CallDecision, decisionFacts, fittingDecisions } from './callDecision.ts';

/** Of a call with its input. In characters. */
const LABEL_LENGTH = 300;

const OLDER = l10n.t('Older turns are not loaded. What was allowed in them is not listed: use Load Older Turns in the session first.');

export interface ChatTrail {
  uri: string;
  title: string;
  isSubagent: boolean;
  /** Undefined where the host does not give it. */
  chat: ChatState | undefined;
}

/** `trails`: the chat of the user first, then others and subagents. */
export function trailText(
  title: string,
  trails: readonly ChatTrail[],
  decisions: readonly CallDecision[],
  timeOf: (at: number) => string,
): string {
  const parts = trails.map(({ uri, title: own, isSubagent, chat }, index) => {
    const lines =
      chat &&
      trailLines(
        chat,
        decisions.filter(({ session }) => session === uri),
        timeOf,
      );
    const name = chat ? oneLine(own, LABEL_LENGTH) || l10n.t('without a title') : uri;
    const shown = visible(oneLine(name, LABEL_LENGTH));
    const head = index === 0 ? '' : `${isSubagent ? l10n.t`Subagent ${shown}` : l10n.t`Chat ${shown}`}\n\n`;
    if (!lines) return head + (isSubagent ? l10n.t('The host does not give this subagent.') : l10n.t('The host does not give this chat.'));
    const isPart = chat.turnsNextCursor !== undefined;
    const nobody = isPart
      ? l10n.t('Nobody was asked about anything in the turns that are loaded.')
      : l10n.t('Nobody was asked about anything.');
    return `${head}${isPart ? `${OLDER}\n` : ''}${lines.length === 0 ? nobody : lines.join('\n')}`;
  });
  const explanation = [
    l10n.t('Times, and who decided, are what this window has seen.'),
    l10n.t('Where it has seen nothing, the line says only that it was allowed or denied.'),
    l10n.t('Calls that the host runs without asking are not listed.'),
  ].join('\n');
  const heading = l10n.t`What was allowed in “${visible(oneLine(title, LABEL_LENGTH))}”`;
  return `${[heading, explanation, ...parts].join('\n\n')}\n`;
}

/** `timeOf`: a time in words. Calls that nobody was asked about are left out. */
export function trailLines(chat: ChatState, decisions: readonly CallDecision[], timeOf: (at: number) => string): string[] {
  const turns = [...chat.turns, ...(chat.activeTurn ? [chat.activeTurn] : [])];
  return turns.flatMap((turn) =>
    turn.responseParts.flatMap((part) => {
      if (part.kind !== 'toolCall') return [];
      const { toolCall: call } = part;
      const about = decisions.filter(({ turnId, callId }) => turnId === turn.id && callId === call.toolCallId);
      const { phase, reason } = toolCallView(call);
      const facts = decisionFacts(call, about);
      const outcome =
        facts.length > 0 ? facts : phase === 'denied' ? [l10n.t('denied')] : phase === 'withheld' ? [l10n.t('result withheld')] : [];
      if (outcome.length === 0) return [];
      const at = fittingDecisions(call, about).at(-1)?.at;
      const label = toolCallLabel(call).map(({ text }) => text);
      const said = reason === undefined ? '' : ` (${reason})`;
      return [
        visible(
          `${at === undefined ? l10n.t('time not known') : timeOf(at)}  ${oneLine(label.join(''), LABEL_LENGTH)}: ${outcome.join(', ')}${said}`,
        ),
      ];
    }),
  );
}

function visible(text: string): string {
  return visibleText(text)
    .map((segment) => segment.text)
    .join('');
}
