/** What the page “Needs You” gets of its shell. */
import type { McpAuthRequirement } from '../../ahp/channels/shapes/customizations.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import type { Event } from '../../base/event.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { BridgeInfo } from '../../webviews/session/protocol.ts';
import type { PageFocus } from '../pageFocus.ts';
import type { PageShell } from '../pagePort.ts';
import type { ShownHost, ShownHosts } from '../shownHost.ts';

export interface InboxPageServices<H extends ShownHost = ShownHost> extends PageShell {
  readonly hosts: ShownHosts<H>;
  readonly focus: PageFocus;
  readonly attention: ListedAttention;
  /** What is answered elsewhere on screen. Absent: nothing is. */
  readonly onScreen?: { shows(item: WindowItem): boolean; readonly onDidChange: Event<unknown> };
  /** Shows a session or what is to be reviewed, or signs in. */
  openItem(item: WindowItem): Promise<unknown>;
  markRead(session: SessionRef): Promise<unknown>;
  readonly bridge?: { info(session: SessionRef): Pick<BridgeInfo, 'clientId' | 'calls'> | undefined; readonly onDidChange: Event<unknown> };
  readonly editor?: { openDiff(host: H, edit: FileEdit): Promise<unknown>; openFile(host: H, uri: URI): Promise<unknown> };
  readonly signIn?: { signIn(host: H, requirement: McpAuthRequirement): Promise<unknown> };
}

export interface ListedAttention {
  readonly items: readonly WindowItem[];
  readonly onDidChange: Event<unknown>;
  /** Brings `items` up to what the clients know now. */
  look(): void;
  /** The user does not want to be reminded of it. For items of the kind `review`. */
  putOff?(id: string): void;
}
