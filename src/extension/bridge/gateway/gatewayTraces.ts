/** Tells each gateway that the window is connected to what the settings say about traces. */
import { englishOf } from '../../../base/errors.ts';
import { RpcError, RpcErrorCode } from '../../../base/jsonRpc.ts';
import type { Logger } from '../../../base/log.ts';
import type { OwnerClient, OwnerState } from '../../../tap/owner/ownerClient.ts';
import type { TracesConfig } from '../../../tap/wire/traces/tracesConfig.ts';

export class GatewayTraces {
  /** The connection over which it was told, and what. */
  #told: { readonly state: OwnerState; readonly config: string } | undefined;

  constructor(private readonly logger: Logger) {}

  /** Call it after each change of the connection or the settings. Also what is off is told: the window before may have switched it on. */
  tell(owner: Pick<OwnerClient, 'state' | 'request'> | undefined, wanted: TracesConfig): void {
    const { state } = owner ?? {};
    if (!owner || state?.kind !== 'connected') return;
    const config = JSON.stringify(wanted);
    if (this.#told?.state === state && this.#told.config === config) return;
    this.#told = { state, config };
    owner.request('traces/configure', wanted).then(
      ({ problem }) => problem !== undefined && this.logger.warn(`There are no traces: ${problem}`),
      (error: unknown) => {
        const isOlder = error instanceof RpcError && error.code === RpcErrorCode.MethodNotFound;
        // eslint-disable-next-line texts/translated -- for the log
        this.logger[isOlder ? 'debug' : 'warn'](`Telling the gateway about traces: ${englishOf(error)}`);
      },
    );
  }
}
