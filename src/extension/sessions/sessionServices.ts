import type { Logger } from '../../base/log.ts';
import type { Draft, WebviewCommand } from '../../webviews/session/protocol.ts';
import type { NewSessionChoice } from '../commands/newSession.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { Drafts } from './drafts.ts';
import type { SessionRef } from './sessionRef.ts';

/** What every session view shares. */
export interface SessionServices {
  readonly hosts: HostRegistry;
  readonly drafts: Drafts;
  readonly logger: Logger;
  openSession(ref: SessionRef): void;
  /** Creates a session and shows it with these words in its composer. */
  createSession(choice: NewSessionChoice, draft: Draft): void;
  runCommand(command: WebviewCommand, session: SessionRef | undefined): Promise<void>;
}
