/** MCP's official conformance suite (https://github.com/modelcontextprotocol/conformance) as a process, and what it has found. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const TIMEOUT_MS = 45_000;

export type Side = 'server' | 'client';

/** A check that is neither a success nor a remark, in words. */
export interface ScenarioResult {
  successes: number;
  problems: string[];
}

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  errorMessage?: string;
}

async function run(args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    // It ends with 1 where a scenario has failed; the checks say which.
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    if (code === 1) return stdout;
    throw new Error(`conformance ${args.join(' ')}: ${stderr}`);
  }
}

/** The names of all scenarios, also of those that are not final. */
export async function scenariosOf(side: Side): Promise<string[]> {
  return (await run(['list', `--${side}`])).split('\n').flatMap((line) => /^ {2}- (\S+)$/.exec(line)?.[1] ?? []);
}

/** Runs every scenario for a server, one after the other. */
export async function runServerScenarios(url: string, folder: string): Promise<Map<string, ScenarioResult>> {
  await run(['server', '--url', url, '--suite', 'all', '-o', folder]);
  return resultsIn(folder, 'server-');
}

/** Runs one scenario for a client: `command` with the address of the suite's server behind it. */
export async function runClientScenario(command: string, scenario: string, folder: string): Promise<ScenarioResult> {
  const own = join(folder, scenario);
  mkdirSync(own, { recursive: true });
  await run(['client', '--command', command, '--scenario', scenario, '-o', own]);
  const result = resultsIn(own, '').get(scenario);
  if (!result) throw new Error(`the suite has no result of ${scenario}`);
  return result;
}

/** The suite writes the checks of each scenario into `<prefix><scenario>-<time>/checks.json`. */
function resultsIn(folder: string, prefix: string): Map<string, ScenarioResult> {
  return new Map(
    readdirSync(folder).map((name) => {
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
      const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      return [
        name.slice(prefix.length).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
        {
          successes: checks.filter(({ status }) => status === 'SUCCESS').length,
          problems: wrong.map(({ id, status, errorMessage = '' }) => `${status} ${id}: ${errorMessage}`),
        },
      ];
    }),
  );
}

/** Passes requests on to `target` with the token that the suite cannot send, and everything else as it came. */
export async function startTokenProxy(target: string, token: string): Promise<{ url: string; close(): void }> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const outgoing = send({ hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${token}` } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
