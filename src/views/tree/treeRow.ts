/** A row of a native tree, ready to be drawn. */
import * as l10n from '../../base/l10n.ts';

/** `id`: of a codicon, with `~spin` where it is animated. `color`: of the theme. */
export interface TreeIcon {
  readonly id: string;
  readonly color?: string;
}

/** How a row looks. `Own`: commands of Tapline. */
export interface DrawnRow<Own extends string = string> {
  /** The same while what it shows is the same thing. No other row beside it has it. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Absent: the label and the description. */
  readonly tooltip?: string;
  readonly icon?: TreeIcon;
  /** For menus. */
  readonly context?: string;
  /** What a screen reader reads. Absent: what is seen. */
  readonly spoken?: string;
  /** `says`: what a click does. */
  readonly checkbox?: { readonly isOn: boolean; readonly says: string };
  /** What Enter and a click do: a command of Tapline, which gets the row, or any command. */
  readonly action?: Own | { readonly command: string; readonly argument?: unknown };
  /** Of a row with others below it: until the user closes it. */
  readonly isOpen?: boolean;
}

export interface TreeRow<Own extends string = string> extends DrawnRow<Own> {
  readonly children?: readonly TreeRow<Own>[];
}

export function spokenRow({ spoken, label, description, checkbox }: Omit<DrawnRow, 'id'>): string {
  return (
    spoken ?? [label, description, checkbox && (checkbox.isOn ? l10n.t('switched on') : l10n.t('switched off'))].filter(Boolean).join(', ')
  );
}

/** Rows, and all below them. */
export function allRows<Row extends { readonly children?: readonly Row[] }>(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => [row, ...allRows(row.children ?? [])]);
}
