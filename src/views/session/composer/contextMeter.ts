/** How full the model's context is, as the host says it with the usage of a turn. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { contextUseIn } from '../../../ahp/contextUse.ts';

export interface ContextMeter {
  /** 0 to 100. */
  percent: number;
  /** For example "13,700 of 40,000 tokens". */
  size: string;
  /** What fills it, with the tokens of each. Empty where the host does not say it. */
  parts: readonly { label: string; tokens: string }[];
  /** The message that makes it smaller, where the agent can do that. */
  compact?: string;
}

/** Turns without a request to the model say nothing. Further back it would be out of date. */
const LOOK_BACK = 20;
/** Undefined while the host has not said it. */
export function contextMeter({ activeTurn, turns }: Pick<ChatState, 'activeTurn' | 'turns'>): ContextMeter | undefined {
  const use =
    contextUseIn(activeTurn?.usage) ??
    turns
      .slice(-LOOK_BACK)
      .map(({ usage }) => contextUseIn(usage))
      .findLast((one) => one !== undefined);
  if (!use) return undefined;
  const { used, limit, system, tools, conversation, compact } = use;
  const parts = [
    { label: l10n.t('The conversation'), tokens: conversation },
    { label: l10n.t('Tools'), tokens: tools },
    { label: l10n.t('Instructions of the agent'), tokens: system },
  ];
  return {
    percent: Math.min(100, Math.round((used / limit) * 100)),
    size: l10n.t`${l10n.countText(used)} of ${l10n.countText(limit)} tokens`,
    parts: parts.flatMap(({ label, tokens }) => (tokens === undefined ? [] : [{ label, tokens: l10n.countText(tokens) }])),
    ...(compact !== undefined && { compact }),
  };
}
