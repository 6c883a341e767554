/**
 * The user's GitHub account, from VS Code's own authentication, for agents that declare `https://api.github.com` as a protected resource.
 * A host gets a token only after the user signed in for that host. From then on each window sends it without asking, as long as the host is
 * listed and asks for the same scopes. For a host of VS Code on this computer, each window asks.
 */
import * as vscode from 'vscode';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { GITHUB_RESOURCE } from '../../views/hosts/agentModels.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { type SignInCandidate, signInTargets } from '../../views/hosts/signIn.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry, PORTAL_HOST_ID } from '../hosts/hostRegistry.ts';
import { confirm } from '../notifications.ts';
import { settings } from '../settings.ts';
import { GitHubConsents } from './gitHubConsents.ts';

const DEFAULT_SCOPES = ['read:user'];

export class GitHubAccount implements Disposable {
  readonly #store = new DisposableStore();
  /** Hosts that have accepted the token on their current client. */
  readonly #given = new WeakSet<RegisteredHost>();
  /** Hosts for which a silent attempt was made on their current client, whether VS Code had a token or not. */
  #tried = new WeakSet<RegisteredHost>();
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

  /** Signs in for one host, or without an id for every host that asks, one after another. False when the user declines. */
  async signIn(hostId?: string): Promise<boolean> {
    if (hostId !== undefined) return this.#signInFor(this.hosts.get(hostId));
    const targets = signInTargets(this.hosts.all.map((host) => ({ host, ...this.#candidate(host) })));
    if (targets.length === 0) throw new UserError('No connected agent host has an agent that uses a GitHub account.');
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
   * Gets a token from VS Code and sends it to the host. VS Code does not ask when it already has such a token, so this asks before a host on
   * another computer gets it.
   */
  async #signInFor(host: RegisteredHost | undefined): Promise<boolean> {
    if (!host) throw new UserError('That agent host is not listed.');
    const scopes = scopesOf(host);
    if (!scopes) throw new UserError(`${host.label} has no agent that uses a GitHub account.`);
    if (
      host.kind !== 'embedded' &&
      !(await confirm(`Send a token of your GitHub account to ${host.label}?`, detailOf(scopes), 'Send Token'))
    )
      return false;
    const session = await askForAccount(scopes);
    if (!session) return false;
    this.#tried.add(host);
    await this.#giveToken(host, session);
    // What is kept is shared among computers, and each has its own host of VS Code under the same id: there the user is asked in each window.
    if (host.kind !== 'vscode') await this.#consents.add(host.id, scopes);
    return true;
  }

  #candidate(host: RegisteredHost): SignInCandidate {
    return {
      connected: host.client.state.kind === 'connected',
      takesAccount: scopesOf(host) !== undefined,
      isRefusing: host.needsSignIn,
      isGiven: this.#given.has(host),
    };
  }

  /** Sends the token again to hosts with consent: an agent that could not use it before may be able to now. */
  giveAgain(): void {
    this.#tried = new WeakSet();
    this.#giveWhereAgreed();
  }

  /** The same for one host, which has lost it. False when nothing was agreed for it. */
  giveAgainTo(host: RegisteredHost): boolean {
    const scopes = scopesOf(host);
    if (!scopes || !this.#consents.cover(host.id, scopes)) return false;
    this.#tried.delete(host);
    this.#giveWhereAgreed();
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Consent ends when a host is removed from the settings. Tapline's own hosts cannot be removed. */
  #forgetRemoved(): void {
    this.#consents.keepOnly([EMBEDDED_HOST_ID, PORTAL_HOST_ID, ...settings.hosts().map(({ url }) => url)]).catch((error: unknown) => {
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
        // The connection was lost before the host got it. It is sent again after the next connection.
        if (error instanceof ConnectionError) this.#tried.delete(host);
      });
    }
  }

  async #give(host: RegisteredHost, scopes: string[]): Promise<void> {
    const session = await vscode.authentication.getSession('github', scopes, { silent: true });
    if (session) await this.#giveToken(host, session);
  }

  async #giveToken(host: RegisteredHost, { accessToken }: vscode.AuthenticationSession): Promise<void> {
    await host.client.command('authenticate', { resource: GITHUB_RESOURCE, token: accessToken });
    this.#given.add(host);
  }
}

function detailOf(scopes: readonly string[]): string {
  const asked = scopes.length === 0 ? 'It asks for no special rights.' : `The rights that it asks for: ${oneLine(scopes.join(', '))}.`;
  return `${asked} Whoever runs the host can use the token until you revoke it at GitHub.`;
}

/** Undefined when the user declined. VS Code reports that as an error. */
export async function askForAccount(scopes: string[]): Promise<vscode.AuthenticationSession | undefined> {
  try {
    return await vscode.authentication.getSession('github', scopes, { createIfNone: true });
  } catch (error) {
    if (/^(User did not consent to login|Cancell?ed)/i.test(messageOf(error))) return undefined;
    throw error;
  }
}

/** The scopes that the host's agents ask for; undefined when none of them takes a GitHub token. */
function scopesOf(host: RegisteredHost): string[] | undefined {
  const resource = agentsOf(host)
    .flatMap(({ protectedResources }) => protectedResources ?? [])
    .find((one) => one.resource === GITHUB_RESOURCE);
  return resource && (resource.scopes_supported ?? DEFAULT_SCOPES);
}
