/**
 * Serves a folder of notes and providers of the tap gateway as OpenCtx providers. It prints one JSON line `{"url","token","providers"}` on
 * stdout. Logs go to stderr.
 */
import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../base/errors.ts';
import { stderrLogger } from '../base/node/stderrLogger.ts';
import { keptToken } from '../base/server/keptToken.ts';
import { serverArguments, serverOptions } from '../base/server/serverArguments.ts';
import { runServerProcess, Shutdown } from '../base/server/serverProcess.ts';
import { openGatewaySession } from './gateway/openCtxSession.ts';
import { startOpenCtxServer } from './openCtxServer.ts';
import { NotesProvider } from './notes/notesProvider.ts';

declare const TAPLINE_VERSION: string;

const DEFAULT_PORT = 8889;

async function main(): Promise<void> {
  const { port: portOption, verbose, help } = serverOptions;
  const { values: options } = parseArgs({
    options: {
      ...{ port: portOption, verbose, help },
      notes: { type: 'string' },
      provider: { type: 'string', multiple: true, default: [] },
      'token-file': { type: 'string' },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const { port } = serverArguments(options, { port: DEFAULT_PORT, idleSeconds: 0 });
  const names = [...new Set(options.provider)];
  if (options.notes === undefined && names.length === 0)
    throw new UserError('There is nothing to serve. Name a folder with --notes, or a provider of the gateway with --provider. See --help.');
  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  const notes = options.notes === undefined ? [] : [new NotesProvider(await folderOf(options.notes), logger)];
  // What is wrong with a heading is said now, and not with the first question.
  for (const one of notes) await one.read();
  const token = options['token-file'] === undefined ? randomBytes(32).toString('base64url') : keptToken(resolve(options['token-file']));
  const script = join(dirname(resolve(process.argv[1] ?? '.')), 'gateway.cjs');
  const gateway = names.length === 0 ? undefined : openGatewaySession({ names, script, version: TAPLINE_VERSION, logger });
  const server = await startOpenCtxServer({ port, token, providers: [...notes, ...(gateway?.providers ?? [])], logger });
  new Shutdown('OpenCtx server', logger, async () => {
    await server.close();
    gateway?.close();
  });
  process.stdout.write(`${JSON.stringify({ url: server.url, token, providers: server.providers })}\n`);
}

async function folderOf(given: string): Promise<string> {
  const folder = resolve(given);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UserError(`There is no folder ${folder}. Name one with Markdown files for --notes.`);
  return realpath(folder);
}

const HELP = `Serves context to OpenCtx clients.

  openctx --notes FOLDER     the Markdown files of a folder
  openctx --provider NAME    a provider of Tapline's gateway, whose tools openctx_items, openctx_mentions and openctx_mention_items are
                             called without asking; may be repeated

  --port N           the port on 127.0.0.1; 0 takes a free one (${DEFAULT_PORT})
  --token-file FILE  keeps the token there, so that it stays the same
  --verbose          log more

It prints one JSON line {"url","token","providers"} with two addresses a provider: “later” for the published OpenCtx clients, “seed” for OpenCtx 0.1.
Clients send the token as the setting “token” of the provider, or as “Authorization: Bearer TOKEN”. The address for OpenCtx 0.1 has it in itself:
keep it as secret as the token.
`;

runServerProcess(main);
