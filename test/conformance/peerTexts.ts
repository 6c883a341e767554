/** The texts that peers may send, each as long as its wire admits, and the functions that read it first and that show it. */
import { connectionFailure } from '../../src/ahp/client/connection/connectionState.ts';
import { splitContext, withContext } from '../../src/base/text/contextBlock.ts';
import { describeHostError, rejectWithoutTrace } from '../../src/ahp/client/connection/hostError.ts';
import type { ToolCallState } from '../../src/ahp/channels/shapes/toolCall.ts';
import { JsonRpcPeer, RpcError } from '../../src/base/jsonRpc.ts';
import { TailBuffer } from '../../src/base/text/tailBuffer.ts';
import { plainTerminalText } from '../../src/base/text/plainTerminalText.ts';
import { shownItem } from '../../src/extension/openctx/editor/shownItem.ts';
import { selectTools } from '../../src/extension/bridge/tools/selectTools.ts';
import { withoutTokens } from '../../src/gateway/limits/redact.ts';
import { LineReader } from '../../src/gateway/process/lineReader.ts';
import { runsLater } from '../../src/host/agents/copilot/permissions/runsLater.ts';
import { shortened } from '../../src/host/agents/copilot/shell/shellText.ts';
import { findSkill } from '../../src/host/agents/demo/skills.ts';
import { CommandDetection } from '../../src/host/terminals/commandDetection.ts';
import { OutputParser } from '../../src/host/terminals/shellIntegration/outputParser.ts';
import { printable } from '../../src/mcp/printable.ts';
import { safeToolName } from '../../src/mcp/provider/toolNames.ts';
import { listedTool } from '../../src/mcp/server/listedTool.ts';
import { checkedEndpoint } from '../../src/models/endpointChecks.ts';
import { Limit } from '../../src/tap/wire/limits.ts';
import type { OfferedTool } from '../../src/tap/wire/owner/ownerMessages.ts';
import { closed, escaped } from '../../src/views/export/markdownSafe.ts';
import { hostConnectionView } from '../../src/views/hosts/hostConnectionView.ts';
import { hostsStatus, spokenStatus } from '../../src/views/hosts/hostsStatus.ts';
import { folderUri, pathOfFolder } from '../../src/views/newSession/folderPath.ts';
import { originText } from '../../src/base/text/origin.ts';
import { shownText } from '../../src/views/portal/shownText.ts';
import { consentQuestion } from '../../src/views/providers/consentWords.ts';
import { plainLines } from '../../src/views/providers/words.ts';
import { itemsOf, partsOf, withItems } from '../../src/views/session/composer/contextItems.ts';
import { headerView } from '../../src/views/session/frame/header.ts';
import { toolCallView } from '../../src/views/session/toolCall/toolCallView.ts';
import { sessionItem } from '../../src/views/sessionList/sessionItem.ts';
import { MAX_SAYING, plainLine } from '../../src/views/sessionSearch/sayings.ts';
import { displayPath } from '../../src/views/text/displayPath.ts';
import { visiblePlain } from '../../src/views/text/visibleText.ts';
import { channelSummary } from '../fakes/fakeChannelHost.ts';
import { FakeGateway, hello, tool } from '../fakes/fakeGateway.ts';
import { openChat } from '../fakes/models.ts';

export interface PeerText {
  peer: string;
  text: string;
  /** In characters. */
  limit: number;
  read(text: string): unknown;
}

const MB = 1024 * 1024;
/** Of an agent host, in bytes. Only what is cut at once is read as long as that. */
const HOST_FRAME = 64 * MB;
/** Frames are JSON, in which a line break takes longer to parse than a letter. That is no work of ours. */
const PARSED = MB / 2;
/** What views show whole, such as the input of a call, costs by its length. More than that is felt whatever it holds. */
const SHOWN_WHOLE = MB / 2;

export const peerTexts: readonly PeerText[] = [
  { peer: 'an agent host', text: 'the message of an error, in its frame', limit: PARSED, read: readErrorFrame },
  { peer: 'an agent host', text: 'the message of an error', limit: HOST_FRAME, read: (text) => describeHostError(new RpcError(1, text)) },
  // Longer ones are cut where the frame is read.
  { peer: 'an agent host', text: 'the trace of an error', limit: 10_000, read: readTrace },
  { peer: 'an agent host', text: 'why it ended the connection', limit: HOST_FRAME, read: readFailure },
  { peer: 'an agent host', text: 'the title of a session', limit: HOST_FRAME, read: readTitle },
  { peer: 'an agent host', text: 'a folder', limit: SHOWN_WHOLE, read: (text) => pathOfFolder(`file:///${text}x`) },
  { peer: 'an agent host', text: 'what a call does, as Markdown', limit: SHOWN_WHOLE, read: readCall },
  { peer: 'an agent host', text: 'what a job of the portal said', limit: HOST_FRAME, read: (text) => shownText(text) },
  { peer: 'an agent host', text: 'an answer that is parsed for an export', limit: 200_000, read: (text) => closed(`<${text}x`) },
  { peer: 'an agent host', text: 'words in a line of an export', limit: SHOWN_WHOLE, read: (text) => escaped(`${text}x`) },
  { peer: 'an agent host', text: 'an answer, in the search', limit: HOST_FRAME, read: (text) => plainLine(text.slice(0, MAX_SAYING)) },
  { peer: 'a command', text: 'its output, as the host’s pty reads it', limit: 64 * 1024, read: readOutput },
  { peer: 'a command', text: 'its output, as a model gets it', limit: 128 * 1024, read: readOutputTail },
  { peer: 'a command', text: 'a control sequence', limit: 128 * 1024, read: readSequences },
  { peer: 'a program of a project', text: 'its output', limit: 64 * 1024, read: (text) => new LineReader('secret').take(`\x1b${text}x\n`) },
  { peer: 'a model', text: 'the path of a file that it writes', limit: SHOWN_WHOLE, read: readWrittenPath },
  { peer: 'a model', text: 'a path', limit: SHOWN_WHOLE, read: (text) => displayPath(`file:///${text}x`, 'file:///a') },
  { peer: 'a model', text: 'the input of a call', limit: SHOWN_WHOLE, read: (text) => visiblePlain(`${text}x`) },
  { peer: 'a user', text: 'a message to the demo agent', limit: SHOWN_WHOLE, read: (text) => findSkill(`run x${text}x`) },
  { peer: 'an entry of the portal', text: 'a folder', limit: 64 * 1024, read: (text) => folderUri(`/${text}x`) },
  { peer: 'a model server', text: 'its address', limit: SHOWN_WHOLE, read: readAddress },
  { peer: 'a provider', text: 'its name', limit: Limit.nameLength, read: (name) => greet({ name }) },
  { peer: 'a provider', text: 'its name, in questions', limit: Limit.messageBytes, read: (name) => consentQuestion(name, [name], [name]) },
  { peer: 'a provider', text: 'what is logged of it', limit: Limit.messageBytes, read: (text) => withoutTokens(`tok-${text}x`) },
  { peer: 'a page', text: 'its title', limit: Limit.messageBytes / 4, read: (title) => greet({ metadata: { title }, instance: 'i' }) },
  { peer: 'a page', text: 'its origin', limit: 16 * 1024, read: (text) => [originText(text), originText(`file:${text}x`)] },
  { peer: 'an MCP server', text: 'the description of a tool', limit: Limit.textLength, read: readDescription },
  { peer: 'an MCP server', text: 'the name of a tool', limit: SHOWN_WHOLE, read: safeToolName },
  { peer: 'an MCP server', text: 'an error', limit: 32 * MB, read: (text) => printable(text) },
  { peer: 'a provider of OpenCtx', text: 'the parts of an item', limit: 4 * MB, read: readItem },
  { peer: 'a provider of OpenCtx', text: 'what a model gets of an item', limit: SHOWN_WHOLE, read: readItemForModel },
];

function readErrorFrame(message: string): void {
  const peer = new JsonRpcPeer('client', () => undefined, { onRequest: () => null, onNotification: () => undefined });
  void peer.request('subscribe', {}, 1000).catch(describeHostError);
  peer.receive(JSON.stringify({ id: 0, error: { code: 1, message } }));
  peer.dispose();
}

function readTrace(text: string): void {
  try {
    rejectWithoutTrace(new RpcError(1, `why${text}x`));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

function readFailure(text: string): void {
  const connection = hostConnectionView({ kind: 'failed', reason: connectionFailure('lost', text, 'lost'), since: 0 }, 0);
  spokenStatus(hostsStatus([{ label: 'a host', connection }], undefined));
}

function readWrittenPath(text: string): void {
  for (const path of [`/work/${text}x`, `/work/x${text}`])
    runsLater(path, { workingDirectory: '/work', home: '/home', own: [], moduleFolders: [] });
}

function readTitle(title: string): void {
  sessionItem({ ...channelSummary('demo:/1', title), activity: title }, 0);
  headerView(openChat({}, { title }), undefined, 'a host');
}

function readCall(markdown: string): void {
  const call: ToolCallState = {
    ...{ toolCallId: 'c', toolName: 'a', displayName: 'A', status: 'running', confirmed: 'not-needed' },
    ...{ invocationMessage: { markdown: `${markdown}x` }, toolInput: `${markdown}x` },
  };
  toolCallView(call);
}

function readOutput(text: string): void {
  const detection = new CommandDetection();
  detection.accept({ kind: 'promptEnd' });
  for (const piece of new OutputParser('nonce').push(`x${text}x`)) detection.accept(piece);
  detection.accept({ kind: 'executed', commandLine: undefined });
}

function readOutputTail(text: string): void {
  const tail = new TailBuffer(text.length);
  tail.push(`${text}x`);
  shortened(plainTerminalText(tail.text).trimEnd());
}

/** Of each kind, without its end. The last one is what Node's own function takes quadratic time for. */
function readSequences(text: string): void {
  const part = text.slice(0, text.length / 6);
  for (const start of ['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x9b1']) plainTerminalText(`${start}${part}\n`);
  plainTerminalText(`\x1b${`${text.charAt(0)};#`.repeat(part.length / 3)}\n`);
}

function readAddress(text: string): void {
  checkedEndpoint({ id: 'a', name: 'a', baseUrl: `http://a.example/${text}x` }, 'a model');
}

/** All that a provider says in its first message. */
function greet(fields: object): void {
  const fake = new FakeGateway();
  fake.session('a');
  fake.spawned('a').say(hello({ name: 'a', tools: [tool('shot')], ...fields }));
  fake.settle();
  fake.dispose();
}

function readDescription(description: string): void {
  greet({ tools: [tool('shot', { description })] });
  const offered: OfferedTool = { name: 'a', description, parameters: {}, provider: 'p', trust: 'external', timeoutMs: 1 };
  selectTools([offered], [], () => 'on');
  for (const state of ['allowed', 'asks'] as const) listedTool(offered, state);
  plainLines(description, Limit.textLength);
}

function readItem(text: string): void {
  const hover = { markdown: text };
  shownItem({ provider: 'p', uri: 'file:///a', item: { title: text, url: `https://a.example/${text}`, ui: { hover } } });
}

function readItemForModel(text: string): void {
  const { items } = withItems([], [{ provider: 'p', title: 'x', text: `${text}x` }], text.length);
  itemsOf(splitContext(withContext(partsOf(items), 'words')).parts);
}
