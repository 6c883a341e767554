/** Programs that are providers, each as a process of its own, in a folder where they find what they import. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTimeout } from '../../src/base/errors.ts';
import { GatewayHome, type GatewayProcess } from './gatewayProcess.ts';
import type { Python } from './python.ts';

const root = join(import.meta.dirname, '../..');
export const WAIT_MS = 15_000;

// The printed programs dial port 9400 by name; a test's gateway is on a port of its own. What they import is the real thing, except for
// that number.
const WS = `
import WebSocket from ${JSON.stringify(pathToFileURL(join(root, 'node_modules/ws/wrapper.mjs')).href)};
export default class extends WebSocket {
  constructor(url, ...rest) {
    super(url.replace(':9400', ':' + process.env.TEST_GATEWAY_PORT), ...rest);
  }
}
`;
const SITE = `
import os, websockets
connect = websockets.connect
def to_test_gateway(uri, *args, **options):
    return connect(uri.replace(":9400", ":" + os.environ["TEST_GATEWAY_PORT"]), *args, **options)
websockets.connect = to_test_gateway
`;

export class Program {
  output = '';
  readonly exited: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.output += String(chunk)));
    this.exited = new Promise((resolve) => child.once('exit', resolve));
  }
  /** By itself. */
  ended(): Promise<number | null> {
    return withTimeout(this.exited, WAIT_MS, 'the end of the program');
  }
}

export class Programs {
  readonly home = new GatewayHome();
  readonly folder = join(this.home.folder, 'programs');
  readonly #programs: Program[] = [];

  constructor() {
    mkdirSync(join(this.folder, 'node_modules/ws'), { recursive: true });
    writeFileSync(join(this.folder, 'node_modules/ws/package.json'), '{"name":"ws","type":"module","exports":"./index.js"}');
    writeFileSync(join(this.folder, 'node_modules/ws/index.js'), WS);
    symlinkSync(root, join(this.folder, 'node_modules/tapline'), 'dir');
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(this.folder, 'python'));
    writeFileSync(join(this.folder, 'python/sitecustomize.py'), SITE);
  }

  /** `by`: Node unless it is a Python. */
  start(file: string, gateway: GatewayProcess, env: Record<string, string> = {}, by?: Python, args: readonly string[] = []): Program {
    const pythonPath = by && [join(this.folder, 'python'), by.path].filter(Boolean).join(delimiter);
    const child = spawn(by?.command ?? process.execPath, [join(this.folder, file), ...args], {
      stdio: 'pipe',
      env: {
        ...process.env,
        ...this.home.env,
        TEST_GATEWAY_PORT: String(gateway.port),
        ...(pythonPath && { PYTHONPATH: pythonPath, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' }),
        ...env,
      },
    });
    const program = new Program(child);
    this.#programs.push(program);
    return program;
  }

  async stop(): Promise<void> {
    for (const { child } of this.#programs) child.kill('SIGKILL');
    await withTimeout(Promise.all(this.#programs.map(({ exited }) => exited)), WAIT_MS, 'the end of the programs');
  }
}
