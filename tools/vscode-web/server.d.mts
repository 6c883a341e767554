export interface VsCodeServer {
  readonly origin: string;
  readonly authority: string;
  readonly token: string;
  stop(): Promise<void>;
}
export function startServer(options?: { agentHost?: { port: number; token: string } }): Promise<VsCodeServer>;
/** Installs the package of an extension into the folder. */
export function installVsix(vsix: string, extensionsDir: string): Promise<void>;
