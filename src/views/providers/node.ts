/** A row of “Providers”, ready to be drawn. */
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import type { EarlierToken } from './facts.ts';
import { oneLine } from '../text/oneLine.ts';

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

export interface ProvidersNode {
  /** The same while what it shows is the same thing. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  /** A codicon, and a color of the theme. */
  readonly icon?: { readonly id: string; readonly color?: string };
  /** Absent for a row that cannot be opened. */
  readonly children?: readonly ProvidersNode[];
  readonly isOpen?: boolean;
  /** `says`: what a click does. */
  readonly checkbox?: { readonly isOn: boolean; readonly says: string };
  /** For the menus of the manifest. */
  readonly context?: string;
  /** What Enter and a click do. */
  readonly action?: 'openSession' | 'showTool' | 'showProjectProviderLog' | 'copyProvider' | 'answerConsent' | 'letProviderIn';
  readonly subject?: Subject;
}

/** Makes the texts of a row safe as labels, whoever wrote them. */
export function node(row: ProvidersNode): ProvidersNode {
  return {
    ...row,
    label: oneLine(row.label) || '(no name)',
    ...(row.description !== undefined && { description: oneLine(row.description) }),
  };
}

/** What a screen reader reads for a row. */
export function spoken({ label, description, checkbox }: ProvidersNode): string {
  return [label, description, checkbox && (checkbox.isOn ? 'switched on' : 'switched off')].filter(Boolean).join(', ');
}

/** Of the row that a command was called on. Any extension may call it with anything, so commands look up what the subject names. */
export function subjectOf(argument: unknown): Subject | undefined {
  const subject = (argument as { subject?: Partial<Subject> } | null | undefined)?.subject;
  return typeof subject === 'object' && subject !== null && 'kind' in subject ? (subject as Subject) : undefined;
}
