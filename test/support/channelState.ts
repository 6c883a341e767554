import type { ChannelKind, ChannelState } from '../../src/ahp/channels/channelReducers.ts';

/** A field that only states of this kind have. */
const marks: Record<ChannelKind, string> = {
  root: 'agents',
  session: 'lifecycle',
  chat: 'turns',
  terminal: 'content',
  changeset: 'files',
  annotations: 'annotations',
  resourceWatch: 'recursive',
  automations: 'entries',
  automationRun: 'sessions',
  canvas: 'canvasId',
};

/** The kind of a recorded state. (A client knows it from its subscription.) A terminal has a `lifecycle` too. */
export function kindOfState(state: ChannelState): ChannelKind {
  const kinds = (Object.keys(marks) as ChannelKind[]).filter((kind) => marks[kind] in state);
  const kind = kinds.includes('terminal') ? 'terminal' : kinds[0];
  if (kind === undefined) throw new Error(`a state of no known kind: ${Object.keys(state).join(', ')}`);
  return kind;
}
