/**
 * The portal as a process, with the agent host in it. It prints one JSON line `{"url","token"}` on stdout, with the page to open and how
 * clients of the host connect. Logs go to stderr.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chatNamesMeta } from '../ahp/chatNames.ts';
import { AgentHostClient } from '../ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../ahp/client/nodeTransport.ts';
import { systemClock } from '../base/clock.ts';
import { writeAddressFile } from '../base/daemon/addressFile.ts';
import { claimDaemonLock, type DaemonLock } from '../base/daemon/daemonLock.ts';
import { messageOf, UserError } from '../base/errors.ts';
import { stderrLogger } from '../base/node/stderrLogger.ts';
import { taplineHome } from '../base/node/taplineHome.ts';
import { type Write, writeToDisk } from '../base/node/wholeFile.ts';
import { keptToken } from '../base/server/keptToken.ts';
import { pointInTime } from '../base/text/pointInTime.ts';
import { serverArguments, serverOptions } from '../base/server/serverArguments.ts';
import { runServerProcess, Shutdown } from '../base/server/serverProcess.ts';
import { CopilotAgent } from '../host/agents/copilot/copilotAgent.ts';
import { parseEndpoints } from '../host/agents/copilot/engine/endpoints.ts';
import { DemoAgent } from '../host/agents/demo/demoAgent.ts';
import { startHostServer } from '../host/server/hostServer.ts';
import { engineFolders } from '../models/copilotEngine.ts';
import type { ModelEndpoint } from '../models/modelEndpoints.ts';
import { PortalServer, type PortalServerOptions } from '../portal/http/portalServer.ts';
import { PortalNotices } from '../portal/notices/portalNotices.ts';
import { Portal } from '../portal/portal.ts';
import { loadEntry, WatchedEntry } from './entryFile.ts';
import { EntryModules } from './entryModules.ts';
import { NoticeTargets, takeCommands, takeWebhook } from './noticeTargets.ts';
import { connectHosts, filesOf, readHostList } from './hostList.ts';
import { listenAgain } from './keptPort.ts';
import { watchedGateway } from './watchedGateway.ts';
import { RunTraces } from './runTraces.ts';
import { openStore, takeStoreUrl } from './runsStore.ts';

declare const TAPLINE_VERSION: string;

const DEFAULT_PORT = 8888;
const AGENTS = ['copilot', 'demo'];

/** The folder that contains `dist/portal.cjs`: an installed extension, or the repository. */
const installation = dirname(dirname(resolve(process.argv[1] ?? '.')));

async function main(): Promise<void> {
  const { port: portOption, daemon, verbose, help } = serverOptions;
  const { commands, rest } = takeCommands(process.argv.slice(2));
  const { values: options } = parseArgs({
    args: rest,
    options: {
      ...{ port: portOption, daemon, verbose, help },
      agent: { type: 'string', default: 'copilot' },
      'allow-job-tools': { type: 'boolean', default: false },
      data: { type: 'string' },
      entry: { type: 'string' },
      hosts: { type: 'string' },
      models: { type: 'string' },
      'not-before': { type: 'string' },
      'new-token': { type: 'boolean', default: false },
      store: { type: 'string' },
      test: { type: 'boolean', default: false },
      'token-file': { type: 'string' },
      watched: { type: 'boolean', default: false },
      traces: { type: 'boolean', default: false },
      'without-token': { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const { port } = serverArguments(options, { port: DEFAULT_PORT, idleSeconds: 0 });
  if (!AGENTS.includes(options.agent)) throw new Error(`--agent must be ${AGENTS.join(' or ')}, not “${options.agent}”`);
  const notBefore = options['not-before'] === undefined ? undefined : pointInTime(options['not-before'], Date.now());
  if (options['not-before'] !== undefined && notBefore === undefined)
    throw new Error(`--not-before must be a time such as 22:30 or 2026-11-28T06:00, not “${options['not-before']}”`);
  if (options.test && options.entry !== undefined) throw new Error('--test takes its entry over HTTP, so it does not go with --entry');
  if (options['without-token'] && (options['new-token'] || options['token-file'] !== undefined))
    throw new Error('--without-token does not go with --token-file and --new-token');
  if (options['without-token'] && options.watched)
    throw new Error('--without-token does not go with --watched: every program on this computer would see what is watched');
  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  const entryFile = options.entry === undefined ? undefined : resolve(options.entry);
  const modules = new EntryModules();
  const entry = entryFile === undefined ? undefined : await loadEntry(entryFile, modules, logger);
  const modelsFile = options.models === undefined ? undefined : resolve(options.models);
  const models = modelsFile === undefined ? [] : await loadModels(modelsFile);
  const hostsFile = options.hosts === undefined ? undefined : resolve(options.hosts);
  const listedHosts = hostsFile === undefined ? [] : readHostList(hostsFile);
  const storeUrl = takeStoreUrl(options.store);
  const webhook = takeWebhook();
  const folder = resolve(options.data ?? join(taplineHome(), 'portal'));
  const tokenFile = resolve(options['token-file'] ?? join(folder, 'token'));
  const sessionsFolder = join(folder, 'sessions');
  const onLost = () => {
    logger.error('The portal ends at once: the lock file of its data was deleted, or another process has taken it over');
    process.exit(1);
  };
  let lock: DaemonLock | undefined;
  const write: Write = (...args) => {
    lock?.check();
    return writeToDisk(...args);
  };
  const copilot = new CopilotAgent({
    logger,
    engineFolders: engineFolders(installation),
    home: join(taplineHome(), 'copilot'),
    endpoints: models,
    // An agent that may edit files must not change unasked what its own portal does, what runs there without asking, and where
    // its prompts go.
    ownFolders: [
      ...[taplineHome(), folder, tokenFile, ...[entryFile, modelsFile].filter((path) => path !== undefined)],
      ...(hostsFile === undefined ? [] : filesOf(hostsFile, listedHosts)),
    ],
    ownModules: modules,
  });
  const host = await startHostServer({
    agents: [new DemoAgent({ logger }), copilot],
    logger,
    defaultDirectory: pathToFileURL(homedir()).href,
    sessionsFolder,
    writeSessions: write,
    claim: async ({ url, token }) => {
      lock = await claimDaemonLock(join(sessionsFolder, 'lock.json'), { url, token, version: TAPLINE_VERSION }, { logger, onLost });
      if (!lock) throw new Error(`${folder} is in use by another portal. Name another folder with --data.`);
    },
  });
  // The token is proved and not sent, as Tapline's other clients do it.
  const transport = connectNodeTransport(undefined, host.token);
  const client = await AgentHostClient.connect({ url: host.url, transport, logger, meta: chatNamesMeta });
  const hosts = hostsFile === undefined ? undefined : connectHosts(hostsFile, listedHosts, logger);
  const runsFolder = join(folder, 'runs');
  const sharedStore = storeUrl === undefined ? undefined : await openStore(storeUrl, logger);
  const traces = options.traces ? new RunTraces(systemClock, logger) : undefined;
  const portal = await Portal.open({
    ...{ client, hosts, logger, runsFolder, sharedStore, notBefore },
    elsewhereFile: join(folder, 'elsewhere.json'),
    schedulesFile: join(folder, 'schedules.json'),
    worktreesFolder: join(folder, 'worktrees'),
    provider: options.agent,
    writeRuns: write,
    allowJobTools: options['allow-job-tools'],
    ...(traces && { tellSpans: (spans) => traces.tell(spans) }),
  });
  const targets = new NoticeTargets({ commands, webhook, logger, clock: systemClock });
  const { runs, attention, interrupted, sessions } = portal;
  const sources = { runs, attention, interrupted, uriOf: (id: string) => sessions.uriOf(id) };
  const notices = new PortalNotices(sources, systemClock, (notice) => targets.tell(notice));
  const withoutToken = options['without-token'];
  // Only who has the lock of the folder makes a token.
  const kept = withoutToken ? undefined : keptToken(tokenFile, { isNew: options['new-token'] });
  const serverOptionsOf = (at: number): PortalServerOptions => ({
    ...{ portal, port: at, logger, withoutToken, token: kept },
    languagesFolder: join(installation, 'l10n'),
    pagesFolder: join(installation, 'dist/portal'),
    webviewsFolder: join(installation, 'dist/webviews'),
    repoRoot: repositoryOf(process.cwd()),
    testFolder: options.test ? join(installation, 'test') : undefined,
    ...(options.watched && { gateway: () => watchedGateway(logger) }),
    onStop: () => shutdown.begin('it was told to stop over HTTP'),
  });
  const server = await listenAgain(port, join(folder, 'port'), logger, (at) => PortalServer.listen(serverOptionsOf(at)));
  // Schedules start jobs with it, which must not be for a portal that nobody can reach.
  if (entry) portal.installEntry(entry);
  const { url, token } = server;
  const pageAndHost = { page: token === undefined ? url : `${url}/?token=${token}`, host: { url: host.url, token: host.token } };
  // The lock is that of the sessions, so only this process writes it.
  const address = writeAddressFile(join(folder, 'portal.json'), { url, token: token ?? '', version: TAPLINE_VERSION }, pageAndHost);
  const watched =
    entryFile === undefined ? undefined : new WatchedEntry(entryFile, modules, (next) => portal.installEntry(next), logger, systemClock);
  const shutdown = new Shutdown('portal', logger, async () => {
    watched?.dispose();
    address.dispose();
    await server.close();
    notices.dispose();
    targets.dispose();
    await portal.stop();
    portal.dispose();
    traces?.dispose();
    for (const one of [client, ...(hosts?.values() ?? [])]) one.close();
    await host.close();
    lock?.dispose();
  });
  // What a daemon prints goes into its log, where no token belongs.
  if (!options.daemon) process.stdout.write(`${JSON.stringify({ url, token: token ?? null, ...pageAndHost })}\n`);
  logger.info(`The portal ${TAPLINE_VERSION} listens on ${url}, and its agent host on ${host.url}`);
  if (kept !== undefined) logger.info(`Its token stays the same: it is kept in ${tokenFile}. --new-token makes another one.`);
  else logger.warn('It was started with --without-token: every program on this computer, of any user, can use it.');
  const parts = [...modules.folders].join(', ');
  if (parts !== '')
    logger.info(`Modules in ${parts} are part of the entry: each change of one is asked about. Keep the entry in a folder of its own.`);
  if (!entry && !options.test) logger.info('It has no tasks and jobs: name a file that has some with --entry.');
}

/** A key would stand there in clear text, so there are none. */
async function loadModels(file: string): Promise<ModelEndpoint[]> {
  try {
    const models = parseEndpoints(await readFile(file, 'utf8'));
    if (models.some(({ apiKey }) => apiKey !== undefined)) throw new Error('keys do not belong into a file: leave out apiKey');
    return models;
  } catch (error) {
    throw new UserError(`${file}: ${messageOf(error)}`);
  }
}

/** The folder with `.git` in it, from here upwards. */
function repositoryOf(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

const HELP = `Tapline's portal: tasks and jobs of agents, over HTTP on this computer. docs/portal-api.md has its routes.

  --port N           port on 127.0.0.1 (${DEFAULT_PORT}); 0 takes the one that it had last time with this data, or a free one
  --entry FILE       the tasks and jobs, as JSON, or as a JavaScript or TypeScript module that exports them as
                     “entry” or as its default; the file is watched
  --hosts FILE       other agent hosts that tasks may name: a JSON list of {"name","url"} with “token” or “tokenFile”;
                     files with tokens must be for you alone
  --agent NAME       the agent that runs the sessions: ${AGENTS.join(' or ')} (${AGENTS[0]})
  --allow-job-tools  let the agent call the job tools without asking; they do nothing but report to the portal
  --models FILE      models for copilot on servers that need no key: a JSON list of {"id","name","baseUrl"}
  --store URL        keep runs in PostgreSQL, shared with other portals: postgres://USER@SERVER/DATABASE; with a password
                     in the variable TAPLINE_STORE instead, where other users do not see it
  --not-before TIME  no job that is started begins before that: 22:30, which is today or tomorrow, or 2026-11-28T06:00.
                     Until then they are queued
  --data FOLDER      where sessions and runs are kept; without it, the folder “portal” of Tapline's data
  --token-file FILE  where the token is kept, for you alone; without it, the file “token” in the folder of data. It is
                     made where it is missing
  --new-token        make a new token, so that no tab, bookmark and script has one that is good
  --on WHAT COMMAND  run COMMAND by the shell when something waits for you (needs-you), or a run has failed or is done;
                     it gets {"on","text",…} as JSON on its standard input; may be given more than once. A web hook in
                     the variable TAPLINE_WEBHOOK gets the same of all three. docs/portal-api.md has the fields
  --watched          show in the page “Watched” what is watched and traced at the gateway of this user, for all sessions:
                     their commands and prompts too, to whoever has the token
  --traces           tell the gateway of this user, while it runs and makes traces, what runs, their steps and turns took
  --daemon           print nothing; portal.json in the data folder has what would be printed, for this user only
  --without-token    let every program on this computer use it
  --test             take the entry over HTTP, from the folder “test”
  --verbose          log more

Prints one JSON line {"url","token","page","host"}: open the page in a browser, or send the token as
“Authorization: Bearer TOKEN”. “host” is the agent host of the sessions, for Tapline: Add Agent Host….
`;

runServerProcess(main);
