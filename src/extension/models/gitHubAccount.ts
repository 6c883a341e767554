/**
 * The user's GitHub account, from VS Code's own authentication, for agents that declare `https://api.github.com` as a protected resource.
 * A token goes to a host only after the user signed in for that host; from then on it is given again in each window without asking, as
 * long as the host is listed and wants the same scopes.
 */
import * as vscode from 'vscode';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { GITHUB_RESOURCE } from '../../views/agentModels.ts';
import { oneLine } from '../../views/oneLine.ts';
import { type SignInCandidate, signInTargets } from '../../views/signIn.ts';
import { type AgentHost, agentsOf } from '../hosts/agentHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry } from '../hosts/hostRegistry.ts';
import { confirm } from '../notifications.ts';
import { settings } from '../settings.ts';
import { GitHubConsents } from './gitHubConsents.ts';

const DEFAULT_SCOPES = ['read:user'];

export class GitHubAccount implements Disposable {
  readonly #store = new DisposableStore();
  /** Hosts that have taken the token over their present client. */
  readonly #given = new WeakSet<AgentHost>();
  /** Hosts that were to get it without a question: once a client, whether VS Code has one or not. */
  #tried = new WeakSet<AgentHost>();
  readonly #consents: GitHubConsents;

  constructor(
    private readonly hosts: HostRegistry,
    storage: vscode.Memento,
    private readonly logger: Logger,
  ) {
    this.#consents = new GitHubConsents(storage);
    this.#store.add(hosts.onDidChange(() => this.#giveWhereAgreed()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsHosts(event) && this.#forgetRemoved()));
    this.#forgetRemoved();
  }

  /** Signs in for a host; without one, for every host that asks, one after the other. False when the user does not want to. */
  async signIn(hostId?: string): Promise<boolean> {
    if (hostId !== undefined) return this.#signInFor(this.hosts.get(hostId));
    const targets = signInTargets(this.hosts.all.map((host) => ({ host, ...this.#candidate(host) })));
    if (targets.length === 0) throw new UserError('No agent host that is connected has an agent that uses a GitHub account.');
    const problems: string[] = [];
    let hasSignedIn = false;
    for (const { host } of targets) {
      try {
        hasSignedIn = (await this.#signInFor(host)) || hasSignedIn;
      } catch (error) {
        problems.push(`${host.label}: ${messageOf(error)}`);
      }
    }
    if (problems.length > 0) throw new UserError(problems.join('\n'));
    return hasSignedIn;
  }

  /**
   * Asks VS Code for the account and gives its token to the host. Where VS Code has such a token, it asks nothing, so that we do before a
   * host gets one that is not on this computer.
   */
  async #signInFor(host: AgentHost | undefined): Promise<boolean> {
    if (!host) throw new UserError('That agent host is not listed.');
    const scopes = scopesOf(host);
    if (!scopes) throw new UserError(`${host.label} has no agent that uses a GitHub account.`);
    if (host.kind !== 'embedded' && !(await confirm(`Give ${host.label} a token of your GitHub account?`, detailOf(scopes), 'Give Token')))
      return false;
    const session = await askForAccount(scopes);
    if (!session) return false;
    this.#tried.add(host);
    await this.#giveToken(host, session);
    await this.#consents.add(host.id, scopes);
    return true;
  }

  #candidate(host: AgentHost): SignInCandidate {
    return {
      connected: host.client.state.kind === 'connected',
      takesAccount: scopesOf(host) !== undefined,
      isRefusing: host.needsSignIn,
      isGiven: this.#given.has(host),
    };
  }

  /** Gives the token again where the user agreed: what could not use it may be able to now. */
  giveAgain(): void {
    this.#tried = new WeakSet();
    this.#giveWhereAgreed();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Consent ends with a host's place in the settings, however that ends. The built-in host can only be switched off. */
  #forgetRemoved(): void {
    this.#consents.keepOnly([EMBEDDED_HOST_ID, ...settings.hosts().map(({ url }) => url)]).catch((error: unknown) => {
      this.logger.error(`GitHub account: what was agreed for a removed host is not forgotten: ${messageOf(error)}`);
    });
  }

  #giveWhereAgreed(): void {
    for (const host of this.hosts.all) {
      const scopes = host.client.state.kind === 'connected' ? scopesOf(host) : undefined;
      if (!scopes || this.#tried.has(host) || !this.#consents.cover(host.id, scopes)) continue;
      this.#tried.add(host);
      this.#give(host, scopes).catch((error: unknown) => {
        this.logger.warn(`GitHub account for ${host.label}: ${messageOf(error)}`);
        // The host has not seen it; it is given with the next connection.
        if (error instanceof ConnectionError) this.#tried.delete(host);
      });
    }
  }

  async #give(host: AgentHost, scopes: string[]): Promise<void> {
    const session = await vscode.authentication.getSession('github', scopes, { silent: true });
    if (session) await this.#giveToken(host, session);
  }

  async #giveToken(host: AgentHost, { accessToken }: vscode.AuthenticationSession): Promise<void> {
    await host.client.request('authenticate', { resource: GITHUB_RESOURCE, token: accessToken });
    this.#given.add(host);
  }
}

function detailOf(scopes: readonly string[]): string {
  const asked = scopes.length === 0 ? 'It asks for no special rights.' : `The rights that it asks for: ${oneLine(scopes.join(', '))}.`;
  return `${asked} Whoever runs the host can use the token until you revoke it at GitHub.`;
}

/** Undefined when the user turned VS Code's questions down: it has no other word for that than an error. */
async function askForAccount(scopes: string[]): Promise<vscode.AuthenticationSession | undefined> {
  try {
    return await vscode.authentication.getSession('github', scopes, { createIfNone: true });
  } catch (error) {
    if (/^(User did not consent to login|Cancell?ed)/i.test(messageOf(error))) return undefined;
    throw error;
  }
}

/** The scopes that the host's agents ask for, which are the host's to choose; undefined when none takes a GitHub token. */
function scopesOf(host: AgentHost): string[] | undefined {
  const resource = agentsOf(host)
    .flatMap(({ protectedResources }) => protectedResources ?? [])
    .find((one) => one.resource === GITHUB_RESOURCE);
  return resource && (resource.scopes_supported ?? DEFAULT_SCOPES);
}
