// An owner of a session, without an agent behind it: it prints the tools that providers lend to the session, and calls those that you type.
// How to run it: README.md beside this file. The messages are those of docs/gateway-owner-link.md.
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const lockFile = join(process.env.TAPLINE_HOME || join(homedir(), '.tapline'), 'gateway.lock.json');
const { url, token: secret } = readLock();
const sessionId = `example-${randomUUID()}`;
let tools = [];
let printed;

// `allowSynchronousEvents`: a change of the tools that follows the answer to `session/register` is not handled before that answer is.
const socket = new WebSocket(`${url}/owner`, { finishRequest: prove, handshakeTimeout: 5000, allowSynchronousEvents: false });
const pending = new Map();
let ids = 0;

socket.on('error', ({ message }) => fail(message));
socket.on('close', (code, reason) => fail(`the gateway has closed the connection (${code}) ${reason}`));
socket.on('message', (frame) => {
  const { id, method, params, result, error } = JSON.parse(String(frame));
  if (method && id === undefined) return notified(method, params);
  // The gateway asks what a session has run, for example. This owner knows nothing of it, and says so.
  if (method) return socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'not known here' } }));
  const { resolve, reject } = pending.get(id);
  pending.delete(id);
  if (error) reject(new Error(error.message));
  else resolve(result);
});
socket.on('open', async () => {
  await request('initialize', { protocolVersion: 1, name: 'example owner' });
  ({ tools } = await request('session/register', { sessionId, label: 'Example session', cwd: process.cwd() }));
  printTools();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => void typed(line.trim()));
  lines.on('close', end);
  process.once('SIGINT', end);
});

function notified(method, params) {
  // Texts of providers are untrusted; the gateway has taken control characters out of them.
  if (method === 'tools/changed') {
    tools = params.tools;
    printTools();
  }
  if (method === 'tool/progress') console.log(`  … ${params.message}`);
  if (method === 'push/surfaced') console.log(`${params.provider} says: ${params.event}`);
  if (method === 'pairing/started')
    console.log(`${params.origin ?? 'A program'} wants to pair. If you have started that, its code is ${params.code}`);
  if (method === 'pairing/ended') console.log(`The pairing has ended: ${params.outcome}`);
}

/** `TOOL`, or `TOOL {"its": "arguments"}` */
async function typed(line) {
  const [, name, args = '{}'] = /^(\S+)\s*(\{.*\})?$/.exec(line) ?? [];
  const tool = tools.find((one) => one.name === name);
  if (!tool) return console.log('Type the name of a tool, a space and its arguments as JSON.');
  try {
    // Nobody else gets the call, even if another provider has a tool of this name by now.
    const { provider, trust, origin, spawned } = tool;
    const of = { provider, trust, origin, spawned };
    const outcome = await request('tool/call', { sessionId, callId: randomUUID(), tool: name, args: JSON.parse(args), of });
    console.log(outcome.ok ? JSON.stringify(outcome.data ?? outcome.file) : `${outcome.errorCode}: ${outcome.error}`);
  } catch ({ message }) {
    console.log(message);
  }
}

async function end() {
  socket.removeAllListeners('close');
  await request('session/end', { sessionId, deadlineMs: 1000 });
  process.exit(0);
}

function request(method, params) {
  const id = ++ids;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
}

/** Both sides prove that they know the secret, which is not sent: by now another program may listen on that port. */
function prove(upgrade) {
  const key = createHash('sha256').update(secret).digest('hex');
  const nonce = randomBytes(32).toString('base64url');
  const { hostname, port } = new URL(url);
  const proof = (side) => createHmac('sha256', key).update(`${side} ${hostname}:${port} ${nonce}`).digest('base64url');
  upgrade.setHeader('Tapline-Challenge', `${key.slice(0, 16)}.${nonce}`);
  upgrade.setHeader('Authorization', `Tapline ${proof('client')}`);
  upgrade.prependListener('upgrade', ({ headers }, connection) => {
    const [given, wanted] = [String(headers['tapline-proof']), proof('server')].map((text) => Buffer.from(text));
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
    connection.destroy();
    fail('another program listens on the port of the gateway');
  });
  upgrade.end();
}

function printTools() {
  // The gateway lends some tools itself.
  const lent = tools.filter(({ provider }) => provider !== 'tap').map(({ name, provider }) => `${name} (${provider})`);
  const text = lent.length ? `Tools: ${lent.join(', ')}` : 'There are no tools: start a provider.';
  if (text !== printed) console.log(text);
  printed = text;
}

function readLock() {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'));
  } catch {
    return fail(`there is no ${lockFile}: start a gateway with “npm run gateway”`);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
