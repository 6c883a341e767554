export interface VsCodeServer {
  readonly origin: string;
  readonly authority: string;
  readonly token: string;
  stop(): Promise<void>;
}
export function startServer(options?: { agentHost?: { port: number; token: string } }): Promise<VsCodeServer>;
