/**
 * The user's GitHub account, from VS Code's own authentication, for agents that declare `https://api.github.com` as a protected resource.
 * A host gets a token only after the user signed in for that host. From then on each window sends it without asking, as long as the host is
 * listed and asks for the same scopes. For a host of VS Code on this computer, each window asks.
 */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import type { ProtectedResourceMetadata } from '../../ahp/common/shapes.ts';
import { englishOf, messageOf, UserError, withTimeout } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { GITHUB_RESOURCE } from '../../views/hosts/agentModels.ts';
import { accountRequest, isCovered, type SignInCandidate, signInTargets } from '../../views/hosts/signIn.ts';
import { signInQuestion } from '../../views/hosts/signInRequest.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry, PORTAL_HOST_ID } from '../hosts/hostRegistry.ts';
import { confirm } from '../notifications.ts';
import { settings } from '../settings.ts';
import { GitHubConsents } from './gitHubConsents.ts';

/** For VS Code to look for an account without asking. */
const LOOK_TIMEOUT_MS = 30_000;

export class GitHubAccount implements Disposable {
  readonly #store = new DisposableStore();
  /** The tokens that hosts have accepted on their current client. */
  readonly #given = new WeakMap<RegisteredHost, string>();
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
    if (targets.length === 0) throw new UserError(l10n.t('No connected agent host has an agent that uses a GitHub account.'));
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

  /** For a host that says that it lacks the account, also where it has got it. */
  signInAgain(host: RegisteredHost): Promise<boolean> {
    return this.#signInFor(host, this.#given.get(host));
  }

  /** True when what the host asks for is the account that its agents want. */
  covers(host: RegisteredHost, asked: ProtectedResourceMetadata): boolean {
    return isCovered(asked, agentsOf(host));
  }

  /**
   * Gets a token from VS Code and sends it to the host. VS Code does not ask when it already has such a token, so this asks before a host on
   * another computer gets it. `spent`: a token that the host has no use for any more.
   */
  async #signInFor(host: RegisteredHost | undefined, spent?: string): Promise<boolean> {
    if (!host) throw new UserError(l10n.t('That agent host is not listed.'));
    const request = accountRequest(agentsOf(host));
    if (!request) throw new UserError(l10n.t`${host.label} has no agent that uses a GitHub account.`);
    if (host.kind !== 'embedded') {
      const shown = signInQuestion(request, host.label);
      if ('problem' in shown) throw new UserError(shown.problem);
      if (!(await confirm(shown.question, shown.detail, l10n.t('Sign In')))) return false;
    }
    const scopes = [...request.scopes];
    let session = await askForAccount(scopes);
    // VS Code does not know that it was revoked.
    if (session && session.accessToken === spent) session = await askForAccount(scopes, true);
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
      takesAccount: accountRequest(agentsOf(host)) !== undefined,
      isRefusing: host.needsSignIn,
      isGiven: this.#given.has(host),
    };
  }

  /** Sends the token again to hosts with consent: an agent that could not use it before may be able to now. */
  giveAgain(): void {
    this.#tried = new WeakSet();
    this.#giveWhereAgreed();
  }

  /** Sends a host, which says that it lacks the account, what was agreed for it. True when it has taken a token. Never rejects. */
  async giveAgainTo(host: RegisteredHost, asked: ProtectedResourceMetadata): Promise<boolean> {
    const scopes = this.#agreedScopes(host);
    return scopes !== undefined && this.covers(host, asked) && this.#give(host, scopes);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Consent ends when a host is removed from the settings. Tapline's own hosts cannot be removed. */
  #forgetRemoved(): void {
    this.#consents.keepOnly([EMBEDDED_HOST_ID, PORTAL_HOST_ID, ...settings.hosts().map(({ url }) => url)]).catch((error: unknown) => {
      this.logger.error(`GitHub account: what was agreed for a removed host is not forgotten: ${englishOf(error)}`);
    });
  }

  #giveWhereAgreed(): void {
    for (const host of this.hosts.all) {
      const scopes = host.client.state.kind === 'connected' && !this.#tried.has(host) ? this.#agreedScopes(host) : undefined;
      if (scopes) void this.#give(host, scopes);
    }
  }

  /** Undefined where its agents want no account, or not the one that was agreed. */
  #agreedScopes(host: RegisteredHost): string[] | undefined {
    const scopes = accountRequest(agentsOf(host))?.scopes;
    return scopes && this.#consents.cover(host.id, scopes) ? [...scopes] : undefined;
  }

  /** Without a question. False when VS Code has no account, or the host did not take its token. Never rejects. */
  async #give(host: RegisteredHost, scopes: string[]): Promise<boolean> {
    this.#tried.add(host);
    try {
      const looked = Promise.resolve(vscode.authentication.getSession('github', scopes, { silent: true }));
      const session = await withTimeout(looked, LOOK_TIMEOUT_MS, l10n.t('Looking for a GitHub account in VS Code'));
      if (session) await this.#giveToken(host, session);
      return session !== undefined;
    } catch (error) {
      this.logger.warn(`GitHub account for ${host.label}: ${englishOf(error)}`);
      // The connection was lost before the host got it. It is sent again after the next connection.
      if (error instanceof ConnectionError) this.#tried.delete(host);
      return false;
    }
  }

  async #giveToken(host: RegisteredHost, { accessToken }: vscode.AuthenticationSession): Promise<void> {
    await host.client.command('authenticate', { resource: GITHUB_RESOURCE, token: accessToken });
    this.#given.set(host, accessToken);
  }
}

/** Undefined when the user declined. VS Code reports that as an error. `isAnew`: another one than VS Code has. */
export async function askForAccount(scopes: string[], isAnew = false): Promise<vscode.AuthenticationSession | undefined> {
  try {
    return await vscode.authentication.getSession('github', scopes, isAnew ? { forceNewSession: true } : { createIfNone: true });
  } catch (error) {
    if (/^(User did not consent to login|Cancell?ed)/i.test(messageOf(error))) return undefined;
    throw error;
  }
}
