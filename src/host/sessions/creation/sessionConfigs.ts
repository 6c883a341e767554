/** The configuration that a new session can have: what its agent offers and what the host offers for all agents, as one schema. */
import type { CommandResult } from '../../../ahp/channels/commands.ts';
import { agentCall } from './agentCall.ts';
import type { Agent, ConfigCompletionsQuery, SessionConfigQuery } from '../../agents/agent.ts';
import { existingDirectory } from '../../files/existingDirectory.ts';
import type { SessionWorkspaces } from '../../files/workspace/sessionWorkspaces.ts';

export class SessionConfigs {
  /** Without workspaces only the agent's own properties are offered. */
  constructor(private readonly workspaces: SessionWorkspaces | undefined) {}

  /** Rejects with InvalidParams when the working directory does not exist. */
  async resolve(agent: Agent, params: SessionConfigQuery): Promise<CommandResult<'resolveSessionConfig'>> {
    const { workingDirectory } = params;
    const folder = workingDirectory === undefined ? undefined : await existingDirectory(workingDirectory, 'workingDirectory');
    const own = await agentCall(agent, agent.resolveSessionConfig(params));
    if (!this.workspaces || folder === undefined) return own;
    const host = await this.workspaces.resolve(folder, params.config);
    return {
      schema: { ...own.schema, properties: { ...own.schema.properties, ...host.schema.properties } },
      values: { ...own.values, ...host.values },
    };
  }

  async completions(agent: Agent, params: ConfigCompletionsQuery): Promise<CommandResult<'sessionConfigCompletions'>['items']> {
    const { property, query = '', workingDirectory } = params;
    const host =
      this.workspaces &&
      workingDirectory !== undefined &&
      (await this.workspaces.completions(property, query, await existingDirectory(workingDirectory, 'workingDirectory')));
    return host || agentCall(agent, agent.sessionConfigCompletions(params));
  }
}
