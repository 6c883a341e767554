/** What the view “Tools & Jobs” shows of a feature, which owns its rows and what can be done with them. */
import type * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';

export interface ToolsGroup<Row extends object = object> {
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
  readonly beginning: readonly Beginning[];
  /** The rows look different than before, or anything of the above is. */
  readonly onDidChange: Event<void>;
  getChildren(row?: Row): Row[];
  /** Its id is the same while what it shows is the same thing. */
  getTreeItem(row: Row): vscode.TreeItem;
  /** The user looks at its rows. */
  setVisible(isVisible: boolean): void;
  /** The user has ticked a row, or has taken the tick away. */
  setChecked?(row: Row, isOn: boolean): Promise<unknown>;
  /** The user has closed a row. */
  closed?(row: Row): void;
}

/** `text`: in a few words. `needsYou`: how many things of it wait for the user. */
export interface GroupSummary {
  readonly text: string;
  readonly needsYou: number;
}

/** A row that says something, or does what a button would. */
export class Beginning {
  constructor(
    readonly label: string,
    readonly icon: string,
    readonly command?: { readonly id: string; readonly argument?: unknown },
    readonly tooltip = label,
  ) {}
}
