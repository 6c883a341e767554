/** Contents of a host (both sides of an edit, files on another computer) as read-only documents. */
import * as vscode from 'vscode';
import type { HostRegistry } from '../hosts/hostRegistry.ts';

const SCHEME = 'tapline-resource';

/** The document of a host's resource. `path` gives the editor its title and language. */
export function resourceDocument(hostId: string, resource: string, path: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    // A path of two slashes would begin with an authority.
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
      const { data, encoding } = await host.client.request('resourceRead', { uri: resource, encoding: 'utf-8' });
      if (typeof data !== 'string') throw new Error(`${host.label} answered with no content.`);
      return encoding === 'utf-8' ? data : `(binary content, ${Buffer.from(data, 'base64').length} bytes)`;
    },
  });
}

/** Anybody may open a document by its URI. */
function resourceOf(query: string): { hostId: string; resource: string } {
  const { hostId, resource } = JSON.parse(query) as { hostId?: unknown; resource?: unknown };
  if (typeof hostId !== 'string' || typeof resource !== 'string') throw new Error('This is no content of an agent host.');
  return { hostId, resource };
}
