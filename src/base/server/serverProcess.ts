/** How a server process starts and ends. */
import { englishOf, messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { portTaken } from './portTaken.ts';

/** Runs `main`. Its error is written to stderr, and the process ends with code 1. */
export function runServerProcess(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.stderr.write(`${portTaken(error) ?? messageOf(error)}\n`);
    process.exit(1);
  });
}

/** Ends the process once: at a signal, or when it is told to. The exit code is 0, or 1 when `close` fails. */
export class Shutdown {
  #hasBegun = false;

  constructor(
    /** For the log, such as `agent host`. */
    private readonly name: string,
    private readonly logger: Logger,
    private readonly close: () => Promise<void>,
  ) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.begin(`${signal} was received`));
  }

  begin(why: string): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.logger.info(`The ${this.name} ends: ${why}`);
    this.close().then(
      () => process.exit(0),
      (error: unknown) => {
        this.logger.error(`Ending: ${englishOf(error)}`);
        process.exit(1);
      },
    );
  }
}
