/** Contents that a host provides, such as both sides of an edit, as read-only documents, and which document a file of a host is. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { URI } from '../../ahp/common/shapes.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';

const SCHEME = 'tapline-resource';

/** `path` determines the title and the language of the editor. */
export function resourceDocument(hostId: string, resource: string, path: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    // VS Code rejects a path that begins with two slashes.
    path: `/${path.replace(/^\/+/, '')}`,
    query: JSON.stringify({ hostId, resource }),
  });
}

type FileSource = Pick<RegisteredHost, 'id' | 'kind'>;

/** The file itself if the host runs on this computer, otherwise its content as the host reads it. Throws for what is not a URI. */
export function documentOf(host: FileSource, file: URI): vscode.Uri {
  const parsed = vscode.Uri.parse(file, true);
  return isShared(host, parsed) ? parsed.with({ query: '', fragment: '' }) : resourceDocument(host.id, file, displayPath(file));
}

/** The URI that the host has for a document, as in {@link documentOf}. Undefined for a document that is not a file of this host. */
export function hostFileOf(host: FileSource, document: vscode.Uri): URI | undefined {
  if (isShared(host, document)) return document.toString();
  if (document.scheme !== SCHEME) return undefined;
  const { hostId, resource } = resourceOf(document.query);
  return hostId === host.id ? resource : undefined;
}

/** Reading `file://server/…` here would send credentials to that server. */
function isShared(host: FileSource, { scheme, authority }: vscode.Uri): boolean {
  return hasOurFiles(host) && scheme === 'file' && authority === '';
}

export function registerResourceDocuments(hosts: HostRegistry): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent({ query }) {
      const { hostId, resource } = resourceOf(query);
      const host = hosts.get(hostId);
      if (!host) throw new Error(l10n.t('The agent host of this content is no longer listed. Add it again to read it.'));
      const { data, encoding } = await host.client.command('resourceRead', { uri: resource, encoding: 'utf-8' });
      if (typeof data !== 'string') throw new Error(l10n.t`${host.label} returned no content.`);
      return encoding === 'utf-8' ? data : l10n.t`(binary content, ${Buffer.from(data, 'base64').length} bytes)`;
    },
  });
}

/** Any extension may open a document with a URI of this scheme. */
function resourceOf(query: string): { hostId: string; resource: string } {
  const { hostId, resource } = JSON.parse(query) as { hostId?: unknown; resource?: unknown };
  if (typeof hostId !== 'string' || typeof resource !== 'string')
    throw new Error(l10n.t('This URI does not name a content of an agent host.'));
  return { hostId, resource };
}
