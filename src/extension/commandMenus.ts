/** Where commands are offered. Conditions (`when`) are those of VS Code, over its context keys and ours. */

type Menu =
  | 'view/title'
  | 'view/item/context'
  | 'terminal/context'
  | 'scm/title'
  | 'explorer/context'
  | 'editor/context'
  | 'editor/title'
  | 'editor/title/context'
  | 'comments/commentThread/context'
  | 'comments/commentThread/title'
  | 'comments/comment/context'
  | 'comments/comment/title';

export interface MenuPlace {
  readonly menu: Menu;
  readonly group: string;
  readonly when?: string;
}

type View = 'sessions' | 'session' | 'needsYou' | 'changes' | 'tools';

export function viewTitle(view: View, group: string, when?: string): MenuPlace {
  return { menu: 'view/title', group, when: all(`view == tapline.${view}`, when) };
}

/** `item`: the `viewItem` of the row, or what it has to match. */
export function treeRow(view: View, group: string, item: string | RegExp, when?: string): MenuPlace {
  const condition = typeof item === 'string' ? `viewItem == '${item}'` : `viewItem =~ ${item}`;
  return { menu: 'view/item/context', group, when: all(`view == tapline.${view}`, condition, when) };
}

/** `state`: only of sessions that are in it. */
export function sessionRow(group: string, state?: 'active' | 'archived' | 'read' | 'unread' | 'loose' | 'pinned'): MenuPlace {
  return treeRow('sessions', group, /^session/, state && `viewItem =~ /:${state}/`);
}

/** The row of a group itself in “Tools & Jobs”. */
export function toolsGroup(id: 'providers' | 'context' | 'jobs', group: string, when?: string): MenuPlace {
  return treeRow('tools', group, `group ${id}`, when);
}

/** The editor of a job is the active one of its group. */
export function jobEditor(when: string): string {
  return all("activeWebviewPanelId == 'tapline.job'", when);
}

/** Of a thread of comments, or of one comment. */
export function commentMenu(place: 'commentThread' | 'comment', kind: 'context' | 'title', group: string, when?: string): MenuPlace {
  return { menu: `comments/${place}/${kind}`, group, when: all('commentController == tapline.annotations', when) };
}

function all(...conditions: (string | undefined)[]): string {
  return conditions.filter((one) => one !== undefined).join(' && ');
}
