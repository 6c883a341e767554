/** A chat and the session that it belongs to, as views read them: in the shapes of the newest dialect, whichever one the host speaks. */
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';

export interface OpenChat {
  readonly session: SessionState;
  readonly chat: ChatState;
}

/** The folder that a session or a chat works in. It may have more. */
export function folderOf({ workingDirectories }: { readonly workingDirectories?: readonly string[] }): string | undefined {
  return workingDirectories?.[0];
}
