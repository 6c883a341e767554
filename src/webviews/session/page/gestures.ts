/** Ids of new turns and messages, and dispatching. */
import type { SessionGesture } from '../protocol.ts';
import { post } from './vscodeApi.ts';

export function dispatch(action: SessionGesture): void {
  post({ type: 'dispatch', action });
}

export function newId(): string {
  return crypto.randomUUID();
}
