/**
 * An agent without a model, so that every part of the protocol can be tried without an account and a network. Its actions are real: it runs
 * commands and changes files in the session's working directory, with the user's consent.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CommandResult } from '../../../ahp/channels/commands.ts';
import type { AgentInfo } from '../../../ahp/channels/root.ts';
import { Emitter } from '../../../base/event.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Logger } from '../../../base/log.ts';
import type { Agent, AgentChat, AgentChatHost, ConfigCompletionsQuery, SessionConfigQuery } from '../agent.ts';
import { configSchema, configValues, demoModels, PROVIDER } from './demoOptions.ts';
import { DemoChat } from './demoChat.ts';
import { realWait, type Wait } from './pace.ts';
import { demoTools } from './skills.ts';

const MAX_COMPLETIONS = 50;

export interface DemoAgentOptions {
  logger: Logger;
  /** Waits between words and in `wait`. Absent: in real time. */
  wait?: Wait;
}

export class DemoAgent implements Agent {
  readonly info: AgentInfo = {
    provider: PROVIDER,
    displayName: l10n.t('Demo agent'),
    description: l10n.t('A demo without a model. It understands a few commands and really acts in the working directory. Send “help”.'),
    models: demoModels,
    capabilities: { multipleChats: { fork: true, sideChat: true } },
  };
  readonly #didChangeInfo = new Emitter<AgentInfo>();
  readonly onDidChangeInfo = this.#didChangeInfo.event;

  constructor(private readonly options: DemoAgentOptions) {}

  async resolveSessionConfig({ config }: SessionConfigQuery): Promise<CommandResult<'resolveSessionConfig'>> {
    return { schema: configSchema, values: configValues(config) };
  }

  /** Files of the working directory. */
  async sessionConfigCompletions({
    property,
    query = '',
    workingDirectory,
  }: ConfigCompletionsQuery): Promise<CommandResult<'sessionConfigCompletions'>['items']> {
    if (property !== 'notesFile' || !workingDirectory) return [];
    const entries = await readdir(fileURLToPath(workingDirectory), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.toLowerCase().includes(query.toLowerCase()))
      .map(({ name }) => ({ value: name, label: name }))
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .slice(0, MAX_COMPLETIONS);
  }

  /** It has no protected resources, so it accepts no token. */
  async authenticate(): Promise<boolean> {
    return false;
  }

  async createChat(host: AgentChatHost): Promise<AgentChat> {
    this.options.logger.debug(`demo chat ${host.chat}`);
    host.setServerTools([...demoTools]);
    return new DemoChat(host, this.options.wait ?? realWait);
  }

  dispose(): void {
    this.#didChangeInfo.dispose();
  }
}
