/** A conversation with the tools of a real gateway: a new session in a new folder each time. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { messageOf, withTimeout } from '../src/base/errors.ts';
import { isRecord } from '../src/base/isRecord.ts';
import { nullLogger } from '../src/base/log.ts';
import { type GatewayServer, startGatewayServer } from '../src/gateway/gatewayServer.ts';
import { callParameters } from '../src/tap/owner/offeredTool.ts';
import { OwnerClient } from '../src/tap/owner/ownerClient.ts';
import type { OfferedTool, OwnerEvents, ToolOutcome } from '../src/tap/wire/owner/ownerMessages.ts';
import type { EvalCase } from './evalCase.ts';
import type { MadeCall, Transcript } from './judge.ts';
import type { Message, Model } from './models.ts';

const LINK_MS = 15_000;
/** Answers of the model in one conversation. */
const ROUNDS = 12;
/** Characters of a result that a model gets. */
const RESULT = 20_000;
const SYSTEM =
  'You are a coding agent in a session of Tapline. Use the tools where they help, and end with a short answer to the user. Say only what you know.';

export class EvalGateway {
  #sessions = 0;

  private constructor(
    private readonly home: string,
    private readonly server: GatewayServer,
    private readonly owner: OwnerClient,
  ) {}

  static async start(): Promise<EvalGateway> {
    const home = mkdtempSync(join(tmpdir(), 'tapline-evals-'));
    try {
      const server = await startGatewayServer({ port: 0, clock: systemClock, logger: nullLogger, version: 'evals', home, withTap: true });
      const endpoint = { url: server.url, token: server.gateway.grants.ownerSecret };
      return new EvalGateway(home, server, new OwnerClient({ name: 'evals', find: async () => endpoint, logger: nullLogger }));
    } catch (error) {
      rmSync(home, { recursive: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.owner.dispose();
    await this.server.close(0);
    rmSync(this.home, { recursive: true, maxRetries: 5, retryDelay: 100 });
  }

  async converse({ prompt, files, posts, commands }: EvalCase, model: Model): Promise<Transcript> {
    const sessionId = `eval-${++this.#sessions}`;
    const cwd = join(this.home, sessionId);
    mkdirSync(cwd);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const offer = new Promise<readonly OfferedTool[]>((resolve) => {
      const listening = this.owner.onEvent(({ event, params }) => {
        if (event !== 'tools/changed') return;
        const changed = params as OwnerEvents['tools/changed'];
        if (changed.sessionId !== sessionId || !changed.tools.length) return;
        listening.dispose();
        resolve(changed.tools);
      });
    });
    const session = this.owner.addSession({ sessionId, label: 'Eval', cwd });
    try {
      const tools = await withTimeout(offer, LINK_MS, 'the tools of the gateway');
      for (const post of posts) {
        const posted = await session.call('tap_post', post);
        if (!posted.ok) throw new Error(`the case cannot be prepared: ${posted.error}`);
      }
      return await speak(model, prompt, tools, async (tool, args) =>
        isAllowed(args, commands)
          ? session.call(tool, args)
          : { ok: false, errorCode: 'DENIED', error: 'the user does not want that command' },
      );
    } finally {
      await session.end(0);
    }
  }
}

/** A host asks the user before a command is run. Here the case answers. */
function isAllowed(args: unknown, commands: readonly string[]): boolean {
  const command = isRecord(args) ? args.command : undefined;
  return command === undefined || commands.some((one) => one === command);
}

async function speak(
  model: Model,
  prompt: string,
  tools: readonly OfferedTool[],
  call: (tool: string, args: unknown) => Promise<ToolOutcome>,
): Promise<Transcript> {
  const offered = tools.map((tool) => {
    const { name, description } = tool;
    return { type: 'function' as const, function: { name, description, parameters: callParameters(tool) } };
  });
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: prompt },
  ];
  const calls: MadeCall[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const said = await model(messages, offered);
    if (!said.calls.length) return { calls, answer: said.text };
    messages.push({ role: 'assistant', content: said.text, tool_calls: said.calls });
    for (const { id, function: wanted } of said.calls) {
      const made = await makeCall(wanted, call);
      calls.push(made);
      messages.push({ role: 'tool', tool_call_id: id, content: made.result });
    }
  }
  return { calls, answer: `(no answer after ${ROUNDS} rounds)` };
}

async function makeCall(
  { name: tool, arguments: text }: { name: string; arguments: string },
  call: (tool: string, args: unknown) => Promise<ToolOutcome>,
): Promise<MadeCall> {
  let args: unknown;
  try {
    args = JSON.parse(text || '{}');
  } catch (error) {
    return { tool, args: text, result: `The arguments are not JSON: ${messageOf(error)}`, failed: true };
  }
  const outcome = await call(tool, args);
  if (!outcome.ok) return { tool, args, result: `${outcome.errorCode}: ${outcome.error}`.slice(0, RESULT), failed: true };
  const result = 'data' in outcome ? JSON.stringify(outcome.data) : `a file, ${outcome.file.mimeType}`;
  return { tool, args, result: result.slice(0, RESULT), failed: false };
}
