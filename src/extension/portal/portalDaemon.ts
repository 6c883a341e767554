/** The portal of this user: a process with its own agent host. It goes on when the window closes, so that jobs do. */
import * as l10n from '../../base/l10n.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type DaemonSpec, findOrStartDaemon, stopDaemon } from '../../base/daemon/daemon.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../base/daemon/daemonLock.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { replaceFile } from '../../base/node/wholeFile.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { PortalHost } from './hostsForPortal.ts';

const READY_TIMEOUT_MS = 15_000;
const POLL_MS = 50;

const addressFile = z.object({
  url: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d+$/)),
  /** Empty: none is needed. */
  token: z.string(),
  page: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d+(?:\/|$)/)),
  host: z.object({ url: z.string().check(z.regex(/^ws:\/\/127\.0\.0\.1:\d+$/)), token: z.string() }),
});
/** `page` is what a browser opens, `host` the agent host of its sessions. They have tokens in them: never log them. */
export type PortalAddress = z.infer<typeof addressFile>;

export interface PortalStart {
  agent: 'copilot' | 'demo';
  /** A JSON file. A module would be a program, which is for the command line. */
  entryFile?: string;
  /** Other agent hosts that tasks may name. Empty: the portal has none. */
  hosts?: readonly PortalHost[];
}

export class PortalDaemon implements Disposable {
  readonly #lockFile: string;
  readonly #onDidChange = new Emitter<PortalAddress | undefined>();
  /** It was found that another portal runs than before, or none. */
  readonly onDidChange = this.#onDidChange.event;
  #found: PortalAddress | undefined;

  /** `script`: `portal.cjs`. `folder`: where the portal keeps its data. */
  constructor(
    private readonly script: string,
    private readonly folder: string,
    private readonly logger: Logger,
    /** What its runs take is told to the gateway. */
    private readonly isTraced: () => boolean,
  ) {
    this.#lockFile = join(folder, 'sessions', 'lock.json');
  }

  get logFile(): string {
    return join(this.folder, 'portal.log');
  }

  /** The portal that runs, also one that was started in a terminal. */
  async find(): Promise<PortalAddress | undefined> {
    const record = readDaemonRecord(this.#lockFile);
    const address = record && this.#address(record);
    return this.#knows(address && (await isDaemonAlive(record)) ? address : undefined);
  }

  /** The portal that runs; started when there is none. Rejects with a {@link UserError}. */
  async start(start: PortalStart): Promise<PortalAddress> {
    const { entryFile, hosts = [] } = start;
    if (entryFile !== undefined && !/\.json$/i.test(entryFile))
      throw new UserError(
        l10n.t('The entry must be a JSON file. An entry that is a program is started with “npm run portal -- --entry FILE”.'),
      );
    if (hosts.length === 0) return this.#start(start);
    // Tokens are in no argument and no log. The portal has read the file by the time it is found, and then nobody needs it.
    const file = join(this.folder, `hosts-${randomUUID()}.json`);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      replaceFile(file, Buffer.from(JSON.stringify(hosts)), { sync: false });
      return await this.#start(start, ['--hosts', file]);
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Waits until it has ended, and rejects with a {@link UserError} when it does not. False when none runs. */
  end(): Promise<boolean> {
    return stopDaemon({ name: phrase`portal`, lockFile: this.#lockFile });
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  async #start({ agent, entryFile }: PortalStart, more: readonly string[] = []): Promise<PortalAddress> {
    const entry = entryFile === undefined ? [] : ['--entry', entryFile];
    const traces = this.isTraced() ? ['--traces'] : [];
    const spec: DaemonSpec = {
      name: phrase`portal`,
      lockFile: this.#lockFile,
      logFile: this.logFile,
      args: [this.script, '--daemon', '--port', '0', '--data', this.folder, '--agent', agent, ...traces, ...entry, ...more],
    };
    const record = await findOrStartDaemon(spec, this.logger);
    // Its host is there first.
    for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline;) {
      const address = this.#address(record);
      if (address) return this.#knows(address);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new UserError(l10n.t`The portal did not start. Its log is ${this.logFile}.`);
  }

  #knows<T extends PortalAddress | undefined>(address: T): T {
    const before = this.#found;
    this.#found = address;
    if (before?.host.token !== address?.host.token) this.#onDidChange.fire(address);
    return address;
  }

  /** Undefined where the file is not of the portal of the record. */
  #address(record: DaemonRecord): PortalAddress | undefined {
    try {
      const address = addressFile.parse(JSON.parse(readFileSync(join(this.folder, 'portal.json'), 'utf8')));
      return address.host.token === record.token ? address : undefined;
    } catch {
      return undefined;
    }
  }
}
