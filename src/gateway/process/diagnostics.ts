import type { Clock } from '../../base/clock.ts';
import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import { cleanText } from '../limits/cleanText.ts';
import { withoutTokens } from '../limits/redact.ts';

const KEPT_ERRORS = 50;
const MESSAGE_LENGTH = 300;

/** Counters and the last errors, for `status` and for what is shown of providers. They must hold no secrets. */
export class Diagnostics {
  readonly counters: Record<string, number> = {};
  readonly lastErrors: GatewayStatus['lastErrors'] = [];
  readonly startedAt: number;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  count(name: string): void {
    this.counters[name] = (this.counters[name] ?? 0) + 1;
  }

  /** `sessionId`: the one session that the error is about. Errors without it are shown to owners alone. */
  error(code: string, message: string, provider?: string, sessionId?: string): void {
    this.count(`error.${code}`);
    this.lastErrors.push({
      ts: new Date(this.clock.now()).toISOString(),
      code,
      message: cleanText(withoutTokens(message), MESSAGE_LENGTH),
      provider,
      sessionId,
    });
    if (this.lastErrors.length > KEPT_ERRORS) this.lastErrors.shift();
  }
}
