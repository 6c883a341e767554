import { post } from '../session/page/pageShell.ts';
import type { InboxMessage } from './protocol.ts';

/** The page has one way out, and the cards of the session view use it with messages that both protocols have. */
export const postInbox = post as (message: InboxMessage) => void;
