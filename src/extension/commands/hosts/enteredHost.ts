/** What the user enters of an agent host: asked for in three steps and tried before it is kept. */
import { said } from '../../../base/text/phrase.ts';
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { isSameServer, parseHostUrl } from '../../../ahp/client/connection/hostUrl.ts';
import { connectNodeTransport } from '../../../ahp/client/nodeTransport.ts';
import { probeHost, type ProbeResult } from '../../../ahp/client/probe.ts';
import { foundHost } from '../../../views/hosts/foundHost.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import { choose } from '../../notifications.ts';
import { type HostSetting, settings } from '../../settings.ts';

export interface EnteredHost {
  setting: HostSetting;
  token: string | undefined;
  /** What answered at the address, if it was tried and did. */
  found?: string;
}

/** Asks and tries until the host answers, or the user saves it anyway. Undefined when the user cancels. */
export async function enterHost(title: string, old: HostSetting, oldToken: string | undefined): Promise<EnteredHost | undefined> {
  let entered: EnteredHost = { setting: old, token: oldToken };
  for (;;) {
    const next = await ask(title, old.url, entered);
    if (!next) return undefined;
    entered = next;
    // A host that is away can get another name.
    if (next.setting.url === old.url && next.token === oldToken) return next;
    const name = next.setting.name;
    const result = await test(next);
    if (result.kind === 'found') return { ...next, found: foundHost(result) };
    const [question, detail] =
      result.kind === 'stopped'
        ? [l10n.t`${oneLine(name)} was not tested to the end.`, l10n.t('Save it without the test, or correct what you entered.')]
        : [
            l10n.t`Tapline cannot connect to ${oneLine(name)}.`,
            `${said(result.failure.words.message)}\n\n${l10n.t('Nothing is saved yet.')}`,
          ];
    const save = l10n.t('Save Anyway');
    const answer = await choose(question, detail, l10n.t('Correct…'), save);
    if (answer === undefined) return undefined;
    if (answer === save) return next;
  }
}

function test({ setting: { name, url }, token }: EnteredHost): Promise<ProbeResult> {
  const title = l10n.t`Testing the connection to ${withoutMarkup(oneLine(name))}…`;
  return Promise.resolve(
    vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, cancelled) => {
      const stopping = new AbortController();
      cancelled.onCancellationRequested(() => stopping.abort());
      return probeHost({ url, name, ...(token && { token }), transport: connectNodeTransport() }, stopping.signal);
    }),
  );
}

/** Address, name, token. A token in the address is moved to its own field. Undefined when the user cancels. `ownUrl`: of the host that is edited. */
async function ask(title: string, ownUrl: string, entered: EnteredHost): Promise<EnteredHost | undefined> {
  const { setting: old, token: oldToken } = entered;
  const taken = (url: string) => url !== ownUrl && settings.hosts().some((host) => host.url === url);
  const address = await vscode.window.showInputBox({
    title: `${title} (1/3)`,
    prompt: l10n.t('WebSocket address of the agent host'),
    placeHolder: l10n.t`${'ws://127.0.0.1:8081'}, ${'wss://build-box.example:443/agent'} or ${'ws+unix:/path/to/host.sock'}`,
    value: old.url,
    ignoreFocusOut: true,
    validateInput(value) {
      const parsed = parseHostUrl(value.trim());
      if (!parsed) return l10n.t('Enter an address that begins with ws:// or wss://, or ws+unix: and the path of a socket.');
      return taken(parsed.address) ? l10n.t('This agent host is already listed.') : undefined;
    },
  });
  const parsed = address === undefined ? undefined : parseHostUrl(address.trim());
  if (!parsed) return undefined;
  const name = await vscode.window.showInputBox({
    title: `${title} (2/3)`,
    prompt: l10n.t('Name of the host in the list'),
    value: old.name || parsed.display,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : l10n.t('Enter a name.')),
  });
  if (name === undefined) return undefined;
  // The old token belongs to the old server. Pressing Enter must not send it to another one.
  const known = parsed.token ?? (isSameServer(parsed.address, old.url) ? oldToken : undefined) ?? '';
  const token = await askToken(`${title} (3/3)`, known);
  if (token === undefined) return undefined;
  return { setting: { name: name.trim(), url: parsed.address }, token: token || undefined };
}

/** Undefined when the user cancels; empty for a host that needs none. */
export async function askToken(title: string, value: string): Promise<string | undefined> {
  const prompt = l10n.t('Connection token. Leave it empty when the host needs none. It is kept in the secret storage.');
  const token = await vscode.window.showInputBox({ title, prompt, value, password: true, ignoreFocusOut: true });
  return token?.trim();
}
