/** What a turn took, in one line: "GPT-5 · 12 s · 3,210 tokens in, 420 out". */
import * as l10n from '../../../base/l10n.ts';
import type { AgentInfo } from '../../../ahp/channels/root.ts';
import type { UsageInfo } from '../../../ahp/common/shapes.ts';
import { durationText } from '../../text/time/duration.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { TurnView } from './transcript.ts';

interface Known {
  /** Where the host says nothing: how long this view saw the turn run, in ms. */
  observedMs: number | undefined;
  modelName: string | undefined;
  /** Our host counts the whole turn, others the last request to the model. */
  isOfTurn: boolean;
}

/** Undefined where nothing is known, and while the turn runs. */
export function turnFacts({ state, usage, durationMs }: TurnView, { observedMs, modelName, isOfTurn }: Known): string | undefined {
  if (state === 'running') return undefined;
  const took = durationMs ?? observedMs;
  const tokens = usage && tokensText(usage);
  const facts = [
    modelName,
    took === undefined ? undefined : durationText(took),
    tokens === undefined || isOfTurn ? tokens : l10n.t`last request: ${tokens}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ') || undefined;
}

/** As the agent calls the model in its list. A host may add a remark in parentheses. */
export function modelNameOf(turn: TurnView, agent: AgentInfo | undefined): string | undefined {
  const id = (turn.usage?.model ?? turn.message.model?.id)?.slice(0, MAX_NAME);
  if (id === undefined || id === '') return undefined;
  const [, known = id, remark = ''] = /^(\S+)( \(.*\))$/.exec(id) ?? [];
  const name = agent?.models.find((model) => model.id === known)?.name;
  return oneLine(name ? name + remark : id, MAX_NAME);
}

/** In characters. */
const MAX_NAME = 200;
/** Only the first says what is counted. */
function tokensText({ inputTokens: given, outputTokens: made, cacheReadTokens: cached }: UsageInfo): string | undefined {
  const counts: ((isFirst: boolean) => string)[] = [];
  if (given !== undefined)
    counts.push(() => l10n.plural(given, l10n.t`${l10n.countText(given)} token in`, l10n.t`${l10n.countText(given)} tokens in`));
  if (made !== undefined)
    counts.push((isFirst) =>
      isFirst
        ? l10n.plural(made, l10n.t`${l10n.countText(made)} token out`, l10n.t`${l10n.countText(made)} tokens out`)
        : l10n.t`${l10n.countText(made)} out`,
    );
  if (cached)
    counts.push((isFirst) =>
      isFirst
        ? l10n.plural(cached, l10n.t`${l10n.countText(cached)} token cached`, l10n.t`${l10n.countText(cached)} tokens cached`)
        : l10n.t`${l10n.countText(cached)} cached`,
    );
  return counts.length === 0 ? undefined : l10n.commaText(counts.map((count, at) => count(at === 0)));
}
