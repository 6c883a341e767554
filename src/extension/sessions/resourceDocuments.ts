/** Contents of a host (both sides of an edit, files on another computer) as read-only documents. */
import * as vscode from 'vscode';
import type { HostRegistry } from '../hosts/hostRegistry.ts';

const SCHEME = 'tapline-resource';

/** The document of a host's resource. `path` gives the editor its title and language. */
export function resourceDocument(hostId: string, resource: string, path: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: path.startsWith('/') ? path : `/${path}`,
    query: JSON.stringify({ hostId, resource }),
  });
}

export function registerResourceDocuments(hosts: HostRegistry): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent({ query }) {
      const { hostId, resource } = JSON.parse(query) as { hostId: string; resource: string };
      const host = hosts.get(hostId);
      if (!host) throw new Error('The agent host of this content is no longer listed. Add it again to read it.');
      const { data, encoding } = await host.client.request('resourceRead', { uri: resource, encoding: 'utf-8' });
      return encoding === 'utf-8' ? data : `(binary content, ${Buffer.from(data, 'base64').length} bytes)`;
    },
  });
}
