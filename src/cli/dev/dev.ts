/** `tapline dev`: a gateway, a session and the provider that its author is writing, in one terminal. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { systemClock } from '../../base/clock.ts';
import { nullLogger } from '../../base/log.ts';
import { startGatewayServer } from '../../gateway/gatewayServer.ts';
import { OwnerClient, type OwnerEvent } from '../../tap/owner/ownerClient.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { onOneLine } from '../visible.ts';
import { HandCalls } from './handCalls.ts';
import { Program } from './program.ts';
import { toolChanges } from './toolList.ts';

declare const TAPLINE_VERSION: string;

const SESSION = 'demo';
/** A program that was started again offers its tools within this time, or none. */
const QUIET_MS = 3_000;
const PROMPT = '> ';

/** Ends with `signal`, with `quit`, and with the end of the input. */
export async function dev(output: Output, given: string, signal: AbortSignal): Promise<ExitCode> {
  const file = resolve(given);
  if (!existsSync(file)) throw new CliError(exitCodes.usage, `There is no file “${given}”. Name your provider: tapline dev provider.mjs`);
  const home = mkdtempSync(join(tmpdir(), 'tapline-dev-'));
  const server = await startGatewayServer({ port: 0, clock: systemClock, logger: nullLogger, version: TAPLINE_VERSION, home });
  const { ownerSecret, fileToken } = server.gateway.grants;
  const owner = new OwnerClient({ name: 'dev', find: async () => ({ url: server.url, token: ownerSecret }), logger: nullLogger });
  const session = owner.addSession({ sessionId: SESSION, label: 'Demo session of tapline dev', cwd: process.cwd() });
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const quitting = new AbortController();
  const quit = () => quitting.abort();

  // What is printed comes before the line that is being typed.
  const print = (text: string) => {
    if (isTerminal) process.stdout.write('\r\u001b[K');
    output.out(text);
    if (isTerminal && !quitting.signal.aborted) prompt(true);
  };
  const shown = new ShownTools(print);
  const calls = new HandCalls({ session, tools: () => shown.now, print, restart: () => restart('You have asked for it'), quit });
  const terminal = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    terminal: isTerminal,
    prompt: PROMPT,
    completer: calls.complete,
  });
  // Its input may end while calls still run. From Node.js 24 on, a closed terminal throws.
  let isOpen = true;
  terminal.once('close', () => (isOpen = false));
  const prompt = (keepsCursor = false) => isOpen && terminal.prompt(keepsCursor);

  const name = basename(file);
  owner.onEvent((event) => heard(event, shown, print, owner));
  const env = { TAP_GATEWAY_URL: server.url, TAP_PROVIDER_TOKEN: fileToken, COPILOT_HOME: home };
  let program: Program | undefined;
  const restart = (why: string) => {
    print(`${why}: ${name} is started again.`);
    shown.restarted();
    program?.restart();
  };
  try {
    program = new Program(file, env, {
      line: (text) => print(`${name}: ${onOneLine(text)}`),
      saved: (saved) => {
        print(`${onOneLine(saved)} was saved: ${name} is started again.`);
        shown.restarted();
      },
      ended: (why) => {
        print(`${name} has ended (${why}). Save it to start it again.`);
        shown.ended();
      },
    });
    print(`${name} lends its tools to a demo session. Type help for what you can do here; Ctrl+C ends everything.`);
    const lines = follow(terminal, prompt, async (line) => {
      await shown.first;
      await calls.run(line);
    });
    terminal.on('SIGINT', quit);
    const stopped = new Promise<void>((done) => {
      for (const one of [signal, quitting.signal]) {
        if (one.aborted) done();
        one.addEventListener('abort', () => done());
      }
    });
    await Promise.race([lines, stopped]);
    return exitCodes.done;
  } finally {
    quit();
    shown.dispose();
    terminal.close();
    process.stdin.destroy(); // it may stay open, and would keep this process
    await program?.dispose();
    owner.dispose();
    await server.close(0);
    rmSync(home, { recursive: true, force: true });
  }
}

/** One line after the other. Resolves when all were done and no more come. */
async function follow(terminal: Interface, prompt: () => void, run: (line: string) => Promise<void>): Promise<void> {
  let last: Promise<void> = Promise.resolve();
  prompt();
  await new Promise<void>((done) => {
    terminal.on('line', (line) => {
      last = last.then(() => run(line)).then(() => prompt());
    });
    terminal.once('close', done);
  });
  await last;
}

function heard({ event, params }: OwnerEvent, shown: ShownTools, print: (text: string) => void, owner: OwnerClient): void {
  switch (event) {
    case 'tools/changed':
      return shown.changed(params.tools);
    case 'push/surfaced':
      return print(`${onOneLine(params.provider)} pushes (${params.level}): ${onOneLine(params.event)}`);
    case 'consent/asked': {
      const { provider, wants } = params;
      print(`${onOneLine(provider)} wants ${wants.join(' and ')}. A user is asked about that; here it is allowed.`);
      owner.request('consent/answer', { provider, allow: true }).catch(() => undefined); // the gateway is ending
    }
  }
}

/** What is offered, and what of it the author has been told. */
class ShownTools {
  now: readonly OfferedTool[] = [];
  #told: readonly OfferedTool[] = [];
  #isNew = true;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #isReady: () => void = () => undefined;
  /** Resolves with the first tools, or when there will be none. */
  readonly first = new Promise<void>((resolve) => (this.#isReady = resolve));

  constructor(private readonly print: (text: string) => void) {
    this.restarted();
  }

  restarted(): void {
    this.#isNew = true;
    this.#later();
  }
  ended(): void {
    this.#isReady();
  }
  changed(tools: readonly OfferedTool[]): void {
    this.now = tools;
    if (tools.length) this.#tell();
    else this.#later();
  }
  dispose(): void {
    clearTimeout(this.#quiet);
    this.#isReady();
  }

  /** Between two runs of a program there are none. */
  #later(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#tell(), QUIET_MS);
  }

  #tell(): void {
    clearTimeout(this.#quiet);
    const lines = toolChanges(this.#told, this.now);
    if (lines.length) this.print(lines.join('\n'));
    else if (this.#isNew) this.print(this.now.length ? 'The tools are as before.' : 'It offers no tools.');
    this.#isNew = false;
    this.#told = this.now;
    this.#isReady();
  }
}
