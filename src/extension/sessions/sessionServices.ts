import type { Logger } from '../../base/log.ts';
import type { WebviewCommand } from '../../webviews/session/protocol.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { Drafts } from './drafts.ts';
import type { SessionRef } from './sessionRef.ts';

/** What every session view shares. */
export interface SessionServices {
  readonly hosts: HostRegistry;
  readonly drafts: Drafts;
  readonly logger: Logger;
  openSession(ref: SessionRef): void;
  runCommand(command: WebviewCommand, session: SessionRef | undefined): Promise<void>;
}
