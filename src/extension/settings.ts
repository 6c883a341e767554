/** Every setting of the extension, in one place; read at the moment of use, so that changes need no restart. */
import * as vscode from 'vscode';

/** An agent host that the user added. Its token is in the secret storage, under its URL. */
export interface HostSetting {
  name: string;
  url: string;
}

const section = 'tapline';
const names = {
  embeddedHost: 'embeddedHost.enabled',
  hosts: 'hosts',
  showArchived: 'sessions.showArchived',
  notifyWhenNeeded: 'notifyWhenNeeded',
} as const;

export const settings = {
  embeddedHost: () => get<boolean>(names.embeddedHost, true),
  showArchived: () => get<boolean>(names.showArchived, false),
  notifyWhenNeeded: () => get<boolean>(names.notifyWhenNeeded, false),
  /** Entries that are not as the schema says are left out; VS Code marks them in the settings editor. */
  hosts(): HostSetting[] {
    const value = get<unknown>(names.hosts, []);
    return Array.isArray(value) ? value.filter(isHostSetting) : [];
  },
  setHosts: (hosts: HostSetting[]) => set(names.hosts, hosts),
  setShowArchived: (show: boolean) => set(names.showArchived, show),
  affectsHosts: (event: vscode.ConfigurationChangeEvent) =>
    event.affectsConfiguration(`${section}.${names.embeddedHost}`) || event.affectsConfiguration(`${section}.${names.hosts}`),
  affectsList: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.${names.showArchived}`),
};

function get<T>(name: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(name, fallback);
}
async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}
function isHostSetting(value: unknown): value is HostSetting {
  const { name, url } = (value ?? {}) as Partial<HostSetting>;
  return typeof name === 'string' && typeof url === 'string' && /^wss?:\/\//.test(url);
}
