/** The commands of `tapline.grants`, for the sides that make and answer them. */
import * as z from 'zod/mini';
import { id, listOf } from '../common/schemas.ts';
import { type Grant, grantMembers } from '../grants.ts';

const kinds = Object.entries(grantMembers).map(([kind, { must, may = [] }]) =>
  z.strictObject({
    kind: z.literal(kind),
    ...Object.fromEntries([...must.map((name) => [name, id]), ...may.map((name) => [name, z.optional(id)])]),
  }),
);
export const grant = z.discriminatedUnion('kind', kinds as [(typeof kinds)[number], ...typeof kinds]) as unknown as z.ZodMiniType<Grant>;

/** The commands of a client, by method. */
export const grantCommands = {
  /** Takes back each of these that is there. */
  'tapline/revokeGrants': z.object({ session: id, grants: listOf(grant) }),
};
export type GrantCommand = keyof typeof grantCommands;
export type GrantCommandParams<M extends GrantCommand> = z.infer<(typeof grantCommands)[M]>;
