/** What was added to the system message, kept in the session for the user to see. */
import { type SectionPart, type SectionsRecord, sectionRecords } from '../../ahp/hookRequests.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { SystemSections } from '../agents/agent.ts';

/** The state is sent as a whole, so it holds what a user can look through. */
const MAX_RECORDS = 20;
const MAX_TURNS = 100;
const MAX_PARTS = 50;
const MAX_CONTENT = 2_000;

/** The records with that of this turn. Undefined when they stay as they are. Turns in a row with the same parts share a record. */
export function withRecord({ _meta }: Pick<SessionState, '_meta'>, turnId: string, added: SystemSections): SectionsRecord[] | undefined {
  const known = sectionRecords(_meta);
  const others = known
    .map((record) => ({ ...record, turns: record.turns.filter((id) => id !== turnId) }))
    .filter(({ turns }) => turns.length > 0);
  const parts = partsOf(added);
  const last = others.at(-1);
  const isSame = last !== undefined && JSON.stringify(last.parts) === JSON.stringify(parts);
  const next = isSame
    ? [...others.slice(0, -1), { ...last, turns: [...last.turns, turnId].slice(-MAX_TURNS) }]
    : [...others, ...(parts.length > 0 ? [{ turns: [turnId], parts }] : [])];
  return JSON.stringify(next) === JSON.stringify(known) ? undefined : next.slice(-MAX_RECORDS);
}

function partsOf({ sections, context, startup }: SystemSections): SectionPart[] {
  const shown = (content: string) => ({ content: content.slice(0, MAX_CONTENT), length: content.length });
  return [
    ...startup.map(({ provider, content }) => ({ kind: 'startup' as const, provider, ...shown(content) })),
    ...sections.flatMap(({ section: name, parts }) =>
      parts.map(({ provider, action, content }) => ({ kind: 'section' as const, provider, name, action, ...shown(content) })),
    ),
    ...context.map(({ provider, content }) => ({ kind: 'context' as const, provider, ...shown(content) })),
  ].slice(0, MAX_PARTS);
}
