import type { NewSessionChoice } from '../../pages/session/sessionPageServices.ts';
import type { EmittersOfSessions } from '../../pages/emitters/sessionEmitters.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import type { BridgeInfo, Draft, StartRequestMessage, WebviewCommand } from '../../webviews/session/protocol.ts';
import type { Focus } from '../focus.ts';
import type { AgentContext } from '../openctx/agentContext.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';
import type { Drafts } from '../sessions/drafts.ts';
import type { TextDocuments } from '../textDocuments.ts';
import type { ResourceSignIn } from '../signIn/resourceSignIn.ts';
import type { StartOffer } from '../../views/newSession/startOffer.ts';
import type { ImageStore } from './attachments/imageStore.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

/** What the pages of all sessions need of the window. `pageServices` adds what VS Code does for each. */
export interface SessionServices {
  readonly hosts: HostRegistry;
  readonly drafts: Drafts;
  readonly logger: Logger;
  readonly focus: Focus;
  readonly decisions: DecisionLog;
  /** The user's message with what tool providers add to it; undefined where it goes as it is. Never rejects. */
  preparePrompt(session: SessionRef, text: string): Promise<string> | undefined;
  /** What the bridge knows of the session; undefined where nothing joins it with tool providers. */
  bridgeInfo(session: SessionRef): BridgeInfo | undefined;
  readonly onDidChangeBridge: Event<void>;
  denyPairing(pairingId: string): Promise<void>;
  openSession(ref: SessionRef): void;
  renameChat(ref: SessionRef, chat: URI): Promise<void>;
  /** Asks before. */
  deleteChat(ref: SessionRef, chat: URI): Promise<void>;
  /** Opens a terminal of the host as one of VS Code. */
  openTerminal(host: RegisteredHost, uri: URI): void;
  /** Creates a session and shows it with the draft in its composer. */
  createSession(choice: NewSessionChoice, draft: Draft): void;
  /** What a session can be begun with. Asked for again whenever `hosts` have changed. */
  startOffer(): StartOffer;
  /** Rejects with a text for the user. */
  answerStart(message: StartRequestMessage): Promise<unknown>;
  /** Creates a session and sends the draft, if any, as its first message. Undefined, never a rejection, where none came of it: the user is told why. */
  startSession(choice: NewSessionChoice, draft: Draft | undefined): Promise<SessionRef | undefined>;
  /** What context providers say for agents. */
  readonly context: Pick<AgentContext, 'mentions' | 'ofMention' | 'ofFiles'>;
  /** What files would be with the code of an answer. */
  readonly proposedCode: TextDocuments;
  /** Those that the user has pasted. */
  readonly images: Pick<ImageStore, 'save'>;
  readonly signIn: Pick<ResourceSignIn, 'signIn'>;
  readonly emitters: EmittersOfSessions;
  runCommand(command: WebviewCommand, session: SessionRef | undefined): Promise<void>;
}
