/** What the view “Tools & Jobs” shows of a feature, which owns its rows and what can be done with them. */
import type { Event } from '../../base/event.ts';
import type { OwnRow } from '../nodeTree/nodeTree.ts';

export interface ToolsGroup<Row extends OwnRow = OwnRow> {
  /** Also the first word of the `viewItem` of its rows, and the second one of that of the group itself. */
  readonly id: string;
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  /** What the group is, for its tooltip. */
  readonly about: string;
  /** There is something of it, or the user has asked for it. */
  readonly isShown: boolean;
  readonly summary: GroupSummary;
  /** Shown while there are no rows: what it is, and how to begin. */
  readonly beginning: readonly OwnRow[];
  readonly rows: readonly Row[];
  /** Any of the above may be different than before. */
  readonly onDidChange: Event<void>;
  /** The user looks at its rows. */
  setVisible(isVisible: boolean): void;
  /** The user has ticked a row, or has taken the tick away. */
  setChecked?(row: Row, isOn: boolean): Promise<unknown>;
  /** A row is open, or about to be. */
  opens?(row: Row): void;
  /** The user has closed a row. */
  closed?(row: Row): void;
}

/** `text`: in a few words. `needsYou`: how many things of it wait for the user. */
export interface GroupSummary {
  readonly text: string;
  readonly needsYou: number;
}

/** A row that says something, or does what a button would. */
export function beginning(label: string, icon: string, action?: OwnRow['action'], tooltip = label): OwnRow {
  return { id: `beginning ${label}`, label, icon: { id: icon }, tooltip, spoken: tooltip, ...(action && { action }) };
}
