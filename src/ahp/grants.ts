/**
 * A vendor extension of our host: what the user has allowed for the rest of a session is in the session's `_meta`, and a client can take it
 * back. Both sides announce it in `_meta` of `initialize`.
 */
import { isRecord } from '../base/isRecord.ts';
import { sameJson } from '../base/sameJson.ts';

/** Key in `_meta` of `initialize`, where its value is the version of this extension (version 1 has no `lentTool`), and in `_meta` of a session, where it is the list. */
const GRANTS = 'tapline.grants';
const VERSION = 2;
/** Of one session. Only the newest ones are kept. */
const MAX_GRANTS = 500;

/** Of a client, as long as it is of the same provider and is defined in the same way. `digest`: SHA-256 of its definition. */
export interface LentToolGrant {
  kind: 'lentTool';
  name: string;
  digest: string;
  provider?: string | undefined;
  trust?: string | undefined;
  origin?: string | undefined;
}

/** What the user has allowed for the rest of the session. */
export type Grant =
  /** Exactly this command line. */
  | { kind: 'command'; text: string }
  /** A file, or a folder with everything in it. */
  | { kind: 'read' | 'write'; root: string }
  | { kind: 'url'; origin: string }
  /** Of an MCP server, as `server/tool`. */
  | { kind: 'tool'; name: string }
  | LentToolGrant
  /** Every command. It ends when its turn is removed from the session. */
  | { kind: 'everyCommand'; turnId: string };

/** The members that each must have, and those that it may have: texts, and none is empty. Pages read grants, so this is no schema. */
export const grantMembers: { readonly [K in Grant['kind']]: { must: readonly string[]; may?: readonly string[] } } = {
  command: { must: ['text'] },
  read: { must: ['root'] },
  write: { must: ['root'] },
  url: { must: ['origin'] },
  tool: { must: ['name'] },
  lentTool: { must: ['name', 'digest'], may: ['provider', 'trust', 'origin'] },
  everyCommand: { must: ['turnId'] },
};

/** Strict: more members would narrow what is allowed, and a version that ignores them would allow more. */
export function isGrant(value: unknown): value is Grant {
  if (!isRecord(value)) return false;
  const { kind, ...others } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(grantMembers, kind)) return false;
  const { must, may = [] } = grantMembers[kind as Grant['kind']];
  const areKnown = Object.entries(others).every(
    ([name, member]) =>
      (typeof member === 'string' && member !== '' && [...must, ...may].includes(name)) || (member === undefined && may.includes(name)),
  );
  return areKnown && must.every((name) => Object.hasOwn(others, name));
}

/** For `_meta` of `initialize` of a client. */
export const grantsMeta: Readonly<Record<string, unknown>> = { [GRANTS]: VERSION };

/** What a host answers to that. To an older client it is that client's version, so that it can take back what it knows. */
export function grantsMetaFor(meta: unknown): Record<string, unknown> {
  const theirs = versionIn(meta);
  return theirs === undefined ? {} : { [GRANTS]: Math.min(theirs, VERSION) };
}

/** The other side has this extension, in whichever version. */
export function hasGrants(meta: unknown): boolean {
  return versionIn(meta) !== undefined;
}

function versionIn(meta: unknown): number | undefined {
  const version: unknown = isRecord(meta) ? meta[GRANTS] : undefined;
  return Number.isSafeInteger(version) && Number(version) >= 1 ? Number(version) : undefined;
}

/** Of a state from any host, oldest first. What another version has stored in another form is left out: it allows nothing here. */
export function grantsOf({ _meta }: { readonly _meta?: unknown }): Grant[] {
  const kept: unknown = isRecord(_meta) ? _meta[GRANTS] : undefined;
  if (!Array.isArray(kept)) return [];
  return kept.slice(-MAX_GRANTS).filter(isGrant);
}

/** A session whose `_meta` can be written. */
export interface GrantKeeper {
  readonly state: { readonly _meta?: unknown };
  setMeta(key: string, value: unknown): void;
}

export function keepGrant(session: GrantKeeper, grant: Grant): void {
  const others = grantsOf(session.state).filter((kept) => !sameJson(kept, grant));
  session.setMeta(GRANTS, [...others, grant].slice(-MAX_GRANTS));
}

export function dropGrants(session: GrantKeeper, isDropped: (grant: Grant) => boolean): void {
  const before = grantsOf(session.state);
  const after = before.filter((kept) => !isDropped(kept));
  if (after.length < before.length) session.setMeta(GRANTS, after.length > 0 ? after : undefined);
}
