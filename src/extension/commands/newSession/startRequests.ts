/** What the composer without a session asks about the session that it is going to begin: the host's settings, their values, a folder. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { SessionConfigState } from '../../../ahp/channels/shapes/config.ts';
import { messageOf, TimeoutError, UserError, withTimeout } from '../../../base/errors.ts';
import { RpcError, RpcErrorCode } from '../../../base/jsonRpc.ts';
import { type ConfigOption, MAX_OPTIONS } from '../../../views/configForm/configFields.ts';
import {
  agentKey,
  keptValues,
  rememberedOf,
  type RememberedStarts,
  withKept,
  withRemembered,
} from '../../../views/newSession/rememberedStart.ts';
import { type StartFolder, startFolder } from '../../../views/newSession/startOffer.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { StartRequestMessage, StartRequestParams } from '../../../webviews/session/protocol.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import { hasOurFiles, type RegisteredHost } from '../../hosts/registeredHost.ts';
import type { NewSessionChoice } from '../../../pages/session/sessionPageServices.ts';
import { askForFolder } from './chooseFolder.ts';
import { chooseRemoteFolder } from './chooseRemoteFolder.ts';

const REMEMBERED = 'tapline.rememberedStarts';
/** For what a host says of a session that is not there yet. */
const ANSWER_MS = 15_000;

export class StartRequests {
  /** What the host has said last of each agent, for what is kept of a choice. */
  readonly #resolved = new Map<string, SessionConfigState>();

  constructor(
    private readonly hosts: HostRegistry,
    private readonly storage: vscode.Memento,
  ) {}

  get remembered(): RememberedStarts {
    return this.storage.get<RememberedStarts>(REMEMBERED, {});
  }

  /** Rejects with a text for the user. */
  async answer(message: StartRequestMessage): Promise<unknown> {
    switch (message.method) {
      case 'resolveStart':
        return this.#resolve(message.params);
      case 'completeStart':
        return this.#complete(message.params);
      case 'chooseStartFolder':
        return this.#chooseFolder(message.params);
    }
  }

  /** What a session was begun with. */
  async remember({ hostId, provider, workingDirectory, config, model }: NewSessionChoice): Promise<void> {
    if (hostId === undefined || provider === undefined) return;
    const key = agentKey({ hostId, provider });
    const schema = this.#resolved.get(key)?.schema;
    await this.storage.update(
      REMEMBERED,
      withRemembered(this.remembered, key, {
        ...(model && { model }),
        ...(schema && config && { config: keptValues({ schema, values: config }) }),
        ...(workingDirectory !== undefined && { folder: workingDirectory }),
      }),
    );
  }

  /** Without `config`, the values are the host's, with what was chosen last as far as it still fits. */
  async #resolve({ hostId, provider, workingDirectory, config }: StartRequestParams<'resolveStart'>): Promise<SessionConfigState> {
    const host = this.#host(hostId);
    const key = agentKey({ hostId, provider });
    const ask = (values?: Record<string, unknown>) =>
      this.#asked(host, () =>
        host.client.command('resolveSessionConfig', {
          provider,
          ...(workingDirectory !== undefined && { workingDirectory }),
          ...(values && { config: values }),
        }),
      );
    let resolved: SessionConfigState;
    try {
      resolved = await ask(config);
      const kept = config ? undefined : withKept(resolved, rememberedOf(this.remembered, key).config ?? {});
      // What a host does not take any more is forgotten.
      if (kept) resolved = await ask(kept).catch(() => resolved);
    } catch (error) {
      // A host without such settings.
      if (!(error instanceof RpcError) || error.code !== RpcErrorCode.MethodNotFound) throw error;
      resolved = { schema: { type: 'object', properties: {} }, values: {} };
    }
    this.#resolved.set(key, resolved);
    return resolved;
  }

  async #complete({ hostId, property, query, ...where }: StartRequestParams<'completeStart'>): Promise<ConfigOption[]> {
    const host = this.#host(hostId);
    const { provider, workingDirectory, config } = where;
    const { items } = await this.#asked(host, () =>
      host.client.command('sessionConfigCompletions', {
        ...{ provider, config, property, query },
        ...(workingDirectory !== undefined && { workingDirectory }),
      }),
    );
    return items.slice(0, MAX_OPTIONS).map(({ value, label, description }) => ({
      value,
      label: oneLine(label) || oneLine(value),
      ...(description !== undefined && { description: oneLine(description) }),
    }));
  }

  /** Undefined when the user has left the question. */
  async #chooseFolder({ hostId, provider }: StartRequestParams<'chooseStartFolder'>): Promise<StartFolder | undefined> {
    const host = this.#host(hostId);
    const uri = hasOurFiles(host) ? await askForFolder() : await chooseRemoteFolder(host, provider);
    return uri === undefined ? undefined : startFolder(uri);
  }

  #host(id: string): RegisteredHost {
    const host = this.hosts.get(id);
    if (!host) throw new UserError(l10n.t('That agent host is not listed any more. Choose another agent.'));
    return host;
  }

  async #asked<T>(host: RegisteredHost, ask: () => Promise<T>): Promise<T> {
    try {
      return await withTimeout(ask(), ANSWER_MS, l10n.t('the question about a new session'));
    } catch (error) {
      if (error instanceof RpcError && error.code === RpcErrorCode.MethodNotFound) throw error;
      const label = oneLine(host.label);
      if (error instanceof TimeoutError) throw new UserError(l10n.t`${label} did not answer within ${ANSWER_MS / 1000} seconds.`);
      throw new UserError(l10n.t`${label} does not accept these choices: ${oneLine(messageOf(error))}`);
    }
  }
}
