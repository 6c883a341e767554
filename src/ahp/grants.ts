/**
 * A vendor extension of our host: what the user has allowed for the rest of a session is in the session's `_meta`, and a client can take it
 * back. Both sides announce it in `_meta` of `initialize`.
 */
import * as z from 'zod/mini';
import { isRecord } from '../base/isRecord.ts';
import { sameJson } from '../base/sameJson.ts';
import { id, listOf } from './common/schemas.ts';

/** Key in `_meta` of `initialize`, where its value is the version of this extension (version 1 has no `lentTool`), and in `_meta` of a session, where it is the list. */
const GRANTS = 'tapline.grants';
const VERSION = 2;
/** Of one session. Only the newest ones are kept. */
const MAX_GRANTS = 500;

/** Of a client, as long as it is of the same provider and is defined in the same way. `digest`: SHA-256 of its definition. */
const lentToolGrant = z.strictObject({
  ...{ kind: z.literal('lentTool'), name: id, digest: id },
  ...{ provider: z.optional(id), trust: z.optional(id), origin: z.optional(id) },
});
export type LentToolGrant = z.infer<typeof lentToolGrant>;

/** Strict: more members would narrow what is allowed, and a version that ignores them would allow more. */
export const grant = z.discriminatedUnion('kind', [
  /** Exactly this command line. */
  z.strictObject({ kind: z.literal('command'), text: id }),
  /** A file, or a folder with everything in it. */
  z.strictObject({ kind: z.literal(['read', 'write']), root: id }),
  z.strictObject({ kind: z.literal('url'), origin: id }),
  /** Of an MCP server, as `server/tool`. */
  z.strictObject({ kind: z.literal('tool'), name: id }),
  lentToolGrant,
  /** Every command. It ends when its turn is removed from the session. */
  z.strictObject({ kind: z.literal('everyCommand'), turnId: id }),
]);
/** What the user has allowed for the rest of the session. */
export type Grant = z.infer<typeof grant>;

/** The commands of a client, by method. */
export const grantCommands = {
  /** Takes back each of these that is there. */
  'tapline/revokeGrants': z.object({ session: id, grants: listOf(grant) }),
};
export type GrantCommand = keyof typeof grantCommands;
export type GrantCommandParams<M extends GrantCommand> = z.infer<(typeof grantCommands)[M]>;

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
  return kept.slice(-MAX_GRANTS).flatMap((value) => grant.safeParse(value).data ?? []);
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
