/**
 * Signs the user in to what a host needs a token for: a server of tools, or a call that stopped for it. The token goes to that host, after the
 * user has agreed. It is kept in memory only, and sent again when the connection to the host is made anew.
 */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { englishOf, messageOf, UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { type Requirement, signInQuestion, type SignInRequest, signInRequest, tokenInput } from '../../views/hosts/signInRequest.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { isHere, type RegisteredHost } from '../hosts/registeredHost.ts';
import { askForAccount } from '../models/gitHubAccount.ts';
import { confirm, showError } from '../notifications.ts';
import type { Browser, GrantedToken } from './oauth.ts';

const browser: Browser = {
  reach: async (url) => (await vscode.env.asExternalUri(vscode.Uri.parse(url, true))).toString(true),
  // In a `Uri` what is encoded would be decoded, and another address opened. VS Code takes a string as it is, although its type does not say so.
  open: async (url) => vscode.env.openExternal(url.href as unknown as vscode.Uri),
};

export class ResourceSignIn {
  constructor(private readonly logger: Logger) {}

  /** False when the user does not go on. Rejects when the host does not take the token. */
  async signIn(host: RegisteredHost, requirement: Requirement): Promise<boolean> {
    const request = signInRequest(requirement, isHere(host));
    const shown = signInQuestion(request, host.label);
    if ('problem' in shown) throw new UserError(shown.problem);
    if (!(await confirm(shown.question, shown.detail, l10n.t('Sign In')))) return false;
    const granted = await this.#token(request, host.label);
    if (!granted) return false;
    const { resource, scopes } = request;
    await host.client.command('authenticate', { resource, ...granted, ...(scopes.length > 0 && { scopes: [...scopes] }) });
    return true;
  }

  async #token(request: SignInRequest, hostLabel: string): Promise<GrantedToken | undefined> {
    if (request.isGitHub) {
      const session = await askForAccount([...request.scopes]);
      return session && { token: session.accessToken };
    }
    const { server } = request;
    if (!server) return askForToken(request, hostLabel);
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: withoutMarkup(l10n.t`Signing in at ${server.origin} in the browser`),
      cancellable: true,
    };
    try {
      return await vscode.window.withProgress(progress, async (_report, cancelled) => {
        const abort = new AbortController();
        cancelled.onCancellationRequested(() => abort.abort());
        const { oauthToken } = await import('./oauth.ts');
        return oauthToken({ ...request, server }, browser, this.logger, abort.signal);
      });
    } catch (error) {
      this.logger.warn(`Signing in at ${server.origin}: ${englishOf(error)}`);
      const enter = l10n.t('Enter a Token…');
      const text = l10n.sentencesText([l10n.t`You could not be signed in at ${server.origin}.`, messageOf(error)]);
      const again = await showError(text, enter);
      return again === enter ? askForToken(request, hostLabel) : undefined;
    }
  }
}

async function askForToken(request: SignInRequest, hostLabel: string): Promise<GrantedToken | undefined> {
  const { title, prompt } = tokenInput(request, hostLabel);
  const token = await vscode.window.showInputBox({
    title: withoutMarkup(title),
    prompt: withoutMarkup(prompt),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter the token, or press Escape.') : undefined),
  });
  return token === undefined ? undefined : { token: token.trim() };
}
