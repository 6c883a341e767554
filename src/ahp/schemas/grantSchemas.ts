/** The commands of `tapline.grants`, for the sides that make and answer them. */
import * as z from 'zod/mini';
import { id, listOf } from '../common/schemas.ts';
import { type Grant, isGrant } from '../grants.ts';

export const grant = z.custom<Grant>(isGrant, 'a grant');

/** The commands of a client, by method. */
export const grantCommands = {
  /** Takes back each of these that is there. */
  'tapline/revokeGrants': z.object({ session: id, grants: listOf(grant) }),
};
export type GrantCommand = keyof typeof grantCommands;
export type GrantCommandParams<M extends GrantCommand> = z.infer<(typeof grantCommands)[M]>;
