import { anyObject, list, may, needs, number, object, or, text, union } from './parts/shapeChecks.ts';
import type { SessionSummary } from '../channels/shapes/summaries.ts';

const folders = may(list(text));
const changes = may(object({ additions: may(number), deletions: may(number), files: may(number) }));
export const metadata = {
  provider: or('', text),
  title: or('', text),
  status: or(0, number),
  activity: may(text),
  project: may(object({ uri: needs(text), displayName: needs(text) })),
  workingDirectories: folders,
};
const origin = may(
  union('kind', {
    fork: object({ chat: needs(text), turnId: needs(text) }),
    sideChat: object({ chat: needs(text), turnId: needs(text) }),
    tool: object({ chat: needs(text), toolCallId: needs(text) }),
  }),
);
export const chatFields = {
  resource: needs(text),
  title: or('', text),
  activity: may(text),
  origin,
  interactivity: may(text),
  workingDirectories: folders,
  changes,
};
const summary = object({
  ...metadata,
  resource: needs(text),
  createdAt: or('', text),
  modifiedAt: or('', text),
  changes,
  chats: may(list(object({ ...chatFields, status: may(number) }))),
  defaultChat: may(text),
  _meta: may(anyObject),
});

/** Undefined without a `resource`. */
export function wellFormedSummary(value: SessionSummary): SessionSummary | undefined {
  return summary(value) as SessionSummary | undefined;
}
