/** Contents that a host provides, such as both sides of an edit, as read-only documents. */
import * as vscode from 'vscode';
import type { HostRegistry } from '../hosts/hostRegistry.ts';

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

export function registerResourceDocuments(hosts: HostRegistry): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent({ query }) {
      const { hostId, resource } = resourceOf(query);
      const host = hosts.get(hostId);
      if (!host) throw new Error('The agent host of this content is no longer listed. Add it again to read it.');
      const { data, encoding } = await host.client.command('resourceRead', { uri: resource, encoding: 'utf-8' });
      if (typeof data !== 'string') throw new Error(`${host.label} returned no content.`);
      return encoding === 'utf-8' ? data : `(binary content, ${Buffer.from(data, 'base64').length} bytes)`;
    },
  });
}

/** Any extension may open a document with a URI of this scheme. */
function resourceOf(query: string): { hostId: string; resource: string } {
  const { hostId, resource } = JSON.parse(query) as { hostId?: unknown; resource?: unknown };
  if (typeof hostId !== 'string' || typeof resource !== 'string') throw new Error('This URI does not name a content of an agent host.');
  return { hostId, resource };
}
