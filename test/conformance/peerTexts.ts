/** The texts that peers may send, each up to the limit of its wire, and the functions that read them first and that show them. */
import { sessionItem } from '../../src/views/sessionList/sessionItem.ts';
import { describeHostError, rejectWithoutTrace } from '../../src/ahp/client/connection/hostError.ts';
import { RpcError } from '../../src/base/jsonRpc.ts';
import { plainOutput } from '../../src/host/agents/copilot/shell/shellText.ts';
import { plainTerminalText } from '../../src/extension/editorTools/shared/terminalText.ts';
import { CommandDetection } from '../../src/host/terminals/commandDetection.ts';
import { findSkill } from '../../src/host/agents/demo/skills.ts';
import { checkedEndpoint } from '../../src/models/endpointChecks.ts';
import { parseMcpConfig } from '../../src/mcp/provider/mcpConfig.ts';
import { spokenStatus } from '../../src/views/hosts/hostsStatus.ts';
import { folderUri } from '../../src/views/newSession/folderPath.ts';

export interface PeerText { peer: string; text: string; limit: number; read(text: string): unknown }
const tried = (f: () => unknown) => { try { f(); } catch { /**/ } };
export const peerTexts: PeerText[] = [
  { peer: 'a host', text: 'error', limit: 30000, read: (text) => { describeHostError(new RpcError(1, text)); tried(() => rejectWithoutTrace(new RpcError(1, text))); } },
  { peer: 'a command', text: 'output host', limit: 30000, read: plainOutput },
  { peer: 'a command', text: 'output editor', limit: 40000, read: plainTerminalText },
  { peer: 'a command', text: 'echo', limit: 64 * 1024, read: (text) => { const d = new CommandDetection(); d.accept({ kind: 'promptEnd' }); d.accept({ kind: 'data', text }); d.accept({ kind: 'executed', commandLine: undefined }); } },
  { peer: 'user', text: 'demo', limit: 60000, read: (text) => findSkill(`x${text}y`) },
  { peer: 'model', text: 'endpoint', limit: 60000, read: (text) => tried(() => checkedEndpoint({ baseUrl: `http://a/${text}b`, id: 'a', name: 'b' }, 'w')) },
  { peer: 'mcp', text: 'config', limit: 60000, read: (text) => tried(() => parseMcpConfig(text + 'x', 'p')) },
  { peer: 'status', text: 'status', limit: 60000, read: (text) => spokenStatus({ text: text + 'x', details: [] } as never) },
  { peer: 'folder', text: 'folder', limit: 60000, read: (text) => folderUri(`/${text}b`) },
  { peer: 'terminal', text: 'strip', limit: 30000, read: (text) => plainOutput('\x1b' + (text[0] === 'a' ? text : ';#'.repeat(text.length / 2))) },
  { peer: 'x', text: 'title', limit: 30000, read: (title) => sessionItem({ resource: 'a', title, status: 0, provider: '', createdAt: '', modifiedAt: '' } as never, 0) },
];
