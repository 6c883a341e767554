/** A row of “Providers”, ready to be drawn. */
import * as l10n from '../../base/l10n.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import type { EarlierToken } from './facts.ts';
import { oneLine } from '../text/oneLine.ts';
import type { TreeRow } from '../tree/treeRow.ts';

/** What the commands of a row act on. */
export type Subject =
  | { readonly kind: 'tool'; readonly tool: OfferedTool }
  | {
      readonly kind: 'provider';
      readonly provider: string;
      readonly trust: OfferedTool['trust'];
      /** Of a paired page. */
      readonly origin?: string;
      readonly pairings: readonly string[];
    }
  | { readonly kind: 'consent'; readonly provider: string }
  | { readonly kind: 'earlierToken'; readonly token: EarlierToken }
  | { readonly kind: 'session'; readonly hostId: string; readonly uri: string }
  | { readonly kind: 'projectProvider'; readonly sessionId: string; readonly name: string };

export const WARNING = { id: 'warning', color: 'list.warningForeground' };

export interface ProvidersNode extends TreeRow<
  'openSession' | 'showTool' | 'showProjectProviderLog' | 'copyProvider' | 'answerConsent' | 'letProviderIn'
> {
  readonly children?: readonly ProvidersNode[];
  readonly subject?: Subject;
}

/** Makes the texts of a row safe as labels, whoever wrote them. */
export function node(row: ProvidersNode): ProvidersNode {
  return {
    ...row,
    label: oneLine(row.label) || l10n.t('(no name)'),
    ...(row.description !== undefined && { description: oneLine(row.description) }),
  };
}

/** Of the row that a command was called on. Any extension may call it with anything, so commands look up what the subject names. */
export function subjectOf(argument: unknown): Subject | undefined {
  const subject = (argument as { subject?: Partial<Subject> } | null | undefined)?.subject;
  return typeof subject === 'object' && subject !== null && 'kind' in subject ? (subject as Subject) : undefined;
}
