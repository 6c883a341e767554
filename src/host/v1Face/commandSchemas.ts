/** The schema of every command's parameters: that of the protocol, without what this host does not support. */
import * as z from 'zod/mini';
import { type GrantCommand, type GrantCommandParams, grantCommands } from '../../ahp/schemas/grantSchemas.ts';
import { type Command, type CommandParams, commandParams } from '../../ahp/v1/commands.ts';
import { knownTerminalClaim } from '../../ahp/v1/common.ts';
import { terminalSize } from '../checks/terminalSize.ts';

/** The commands of the protocol and our own. */
export type HostCommand = Command | GrantCommand;
export type HostCommandParams<M extends HostCommand> = M extends Command
  ? CommandParams<M>
  : M extends GrantCommand
    ? GrantCommandParams<M>
    : never;

export const commandSchemas: Readonly<Record<HostCommand, z.ZodMiniType>> = {
  ...commandParams,
  ...grantCommands,
  createTerminal: z.extend(commandParams.createTerminal, {
    claim: knownTerminalClaim,
    cols: z.optional(terminalSize),
    rows: z.optional(terminalSize),
  }),
};
