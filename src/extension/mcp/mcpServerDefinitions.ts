/** Tapline's MCP server for VS Code's own chat, where VS Code takes servers of extensions (1.101 and newer). */
import { join } from 'node:path';
import * as vscode from 'vscode';

/** As in `contributes.mcpServerDefinitionProviders`. */
export const MCP_PROVIDER_ID = 'tapline';

/** The arguments of VS Code's `McpStdioServerDefinition`. */
type StdioServer = [label: string, command: string, args: string[], env: Record<string, string>, version: string];

/** What the VS Code that we are compiled against does not have. */
interface McpApi {
  lm: {
    registerMcpServerDefinitionProvider?(id: string, provider: { provideMcpServerDefinitions(): object[] }): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (...server: StdioServer) => object;
}

/** VS Code asks the user before it starts the server, and before each call. */
export function registerMcpServerDefinitions({ extension }: vscode.ExtensionContext): vscode.Disposable {
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  if (!lm.registerMcpServerDefinitionProvider || !McpStdioServerDefinition) return new vscode.Disposable(() => undefined);
  const definition = new McpStdioServerDefinition(...mcpServer(extension));
  return lm.registerMcpServerDefinitionProvider(MCP_PROVIDER_ID, { provideMcpServerDefinitions: () => [definition] });
}

/** Run by this process's own Node, or by Electron as Node. */
export function mcpServer({ extensionPath, packageJSON }: Pick<vscode.Extension<unknown>, 'extensionPath' | 'packageJSON'>): StdioServer {
  const script = join(extensionPath, 'dist', 'mcp.cjs');
  return ['Tapline', process.execPath, [script], { ELECTRON_RUN_AS_NODE: '1' }, packageJSON.version as string];
}
