/** What a session page gets of its shell. What not every shell can do is optional: the page is told what is missing, and its requests are answered plainly. */
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { McpAuthRequirement } from '../../ahp/channels/shapes/customizations.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { StartOffer } from '../../views/newSession/startOffer.ts';
import type { FileAttachment } from '../../views/session/composer/attachments.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { CallDecision } from '../../views/session/trail/callDecision.ts';
import type { NamedCode } from '../../views/text/markdown/codeTarget.ts';
import type {
  Attached,
  BridgeInfo,
  Draft,
  EditorThing,
  FoundContext,
  Mention,
  ShownImage,
  StartRequestMessage,
  WebviewCommand,
} from '../../webviews/session/protocol.ts';
import type { GivenImage } from '../attaching/messageImages.ts';
import type { EmittersOfSessions } from '../emitters/sessionEmitters.ts';
import type { PageFocus } from '../pageFocus.ts';
import type { PageShell } from '../pagePort.ts';
import type { ShownHost, ShownHosts } from '../shownHost.ts';
import type { SessionPlace } from './sessionPlace.ts';

/** Choices that are already made for a new session. The user is asked for the others. */
export interface NewSessionChoice {
  hostId?: string;
  provider?: string;
  workingDirectory?: URI;
  /** Of the first message. */
  model?: ModelSelection;
  /** The values for the host's settings. */
  config?: Record<string, unknown>;
}

export interface SessionPageServices<H extends ShownHost = ShownHost> extends PageShell {
  readonly hosts: ShownHosts<H>;
  readonly focus: PageFocus;
  readonly drafts: KeptDrafts;
  readonly decisions: KeptDecisions;
  /** Asked for again with each session that is shown. */
  readonly settings: {
    /** Other clients of a chat see what the user types. */
    shareDrafts(): boolean;
    /** A key in the empty composer answers the call that waits. */
    composerAnswers(): boolean;
  };
  /** Another session takes the place of the shown one. */
  openSession(ref: SessionRef): void;
  /** What buttons of the page run. */
  readonly commands?: { run(command: WebviewCommand, session: SessionRef | undefined): Promise<unknown> };
  readonly bridge?: BridgeOfPage;
  readonly start?: StartOfSessions;
  /** Absent: the page asks. */
  readonly questions?: Questions;
  readonly editor?: EditorOfPage<H>;
  readonly attaching?: Attaching<H>;
  readonly context?: ContextProviders<H>;
  readonly chats?: ChatDialogs;
  readonly terminals?: { open(host: H, uri: URI): void };
  readonly emitters?: EmittersOfSessions;
  readonly signIn?: { signIn(host: H, requirement: McpAuthRequirement): Promise<unknown> };
}

/** What was typed and not sent, and what was sent and not settled. */
export interface KeptDrafts {
  /** By session and chat. */
  ofHost(hostId: string): Record<URI, Draft>;
  set(chat: SessionRef, draft: Draft): Promise<void>;
  readonly sent: {
    /** Gives a new client the prompts that an earlier one did not see settled. */
    restore(chat: SessionRef, model: Pick<ChatModel, 'pending' | 'restore'>): void;
    store(chat: SessionRef, pending: readonly { readonly action: ActionLike }[]): Promise<void>;
  };
}

/** Who decided about calls. */
export interface KeptDecisions {
  /** Oldest first. `holds`: true for the URIs of the chats. */
  of(hostId: string, holds: (chat: string) => boolean): CallDecision[];
  readonly onDidChange: Event<unknown>;
}

/** What joins sessions with tool providers. */
export interface BridgeOfPage {
  /** What it knows of the session; undefined where nothing joins it with tool providers. */
  info(session: SessionRef): BridgeInfo | undefined;
  readonly onDidChange: Event<unknown>;
  /** The user's message with what tool providers add to it; undefined where it goes as it is. Never rejects. */
  preparePrompt(session: SessionRef, text: string): Promise<string> | undefined;
  denyPairing(pairingId: string): Promise<void>;
}

export interface StartOfSessions {
  /** What a session can be begun with. Asked for again whenever the hosts have changed. */
  offer(): StartOffer;
  /** Rejects with a text for the user. */
  answer(message: StartRequestMessage): Promise<unknown>;
  /** Creates a session and sends the draft as its first message. Undefined, never a rejection, where none came of it: the user is told why. */
  start(choice: NewSessionChoice, draft: Draft | undefined): Promise<SessionRef | undefined>;
  /** Creates a session and shows it with the draft in its composer. */
  create(choice: NewSessionChoice, draft: Draft): void;
}

/** Dialogs in front of everything else. */
export interface Questions {
  /** Undefined: the user has left the question. Enter takes the first answer. */
  choose(question: string, detail: string, ...answers: string[]): Promise<string | undefined>;
  /** Says what is waited for. The signal is aborted when the user does not want to wait any longer. */
  wait<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface EditorOfPage<H extends ShownHost> {
  openDiff(host: H, edit: FileEdit): Promise<unknown>;
  openFile(host: H, uri: URI): Promise<unknown>;
  showTurnChanges(shown: TurnsShown<H>, chat: URI, turnId: string): Promise<unknown>;
  useCode(place: SessionPlace<H>, how: 'insert' | 'terminal', code: string): Promise<unknown>;
  applyCode(place: SessionPlace<H>, code: NamedCode): Promise<unknown>;
}

export interface TurnsShown<H extends ShownHost> {
  readonly host: H;
  readonly session: SessionState | undefined;
  /** True for the session's chats. */
  holds(uri: URI): boolean;
}

/** What goes with a message. Without it, files of the host are found and shown all the same, and what the page has itself goes along in the message. */
export interface Attaching<H extends ShownHost> {
  pick(place: SessionPlace<H>): Promise<Attached>;
  /** Only what is there, in the order of `uris`. */
  dropped(place: SessionPlace<H>, uris: readonly URI[]): Promise<Attached>;
  image(host: H, image: GivenImage): Promise<MessageAttachment>;
  readImage(host: H, uri: URI): Promise<ShownImage>;
  /** For `#` in the composer, best first. */
  find(place: SessionPlace<H>, query: string): Promise<FileAttachment[]>;
  ofEditor(place: SessionPlace<H>, thing: EditorThing): Promise<FoundContext>;
  /** Follows the file that the composer suggests. Undefined where the host has none. */
  followFile(place: () => SessionPlace<H> | undefined, tell: (file: FileAttachment | undefined) => void): FollowedFile;
}

export interface FollowedFile extends Disposable {
  /** Another session is shown, or its folder is known. Never rejects. */
  update(): Promise<void>;
}

/** What context providers say for agents. */
export interface ContextProviders<H extends ShownHost> {
  mentions(place: SessionPlace<H>, query: string): Promise<Mention[]>;
  ofMention(place: SessionPlace<H>, mention: Mention): Promise<FoundContext>;
  ofFiles(place: SessionPlace<H>, uris: readonly URI[]): Promise<FoundContext>;
}

/** Both ask the user. */
export interface ChatDialogs {
  rename(session: SessionRef, chat: URI): Promise<void>;
  delete(session: SessionRef, chat: URI): Promise<void>;
}
