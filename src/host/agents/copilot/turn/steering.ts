/**
 * Messages of the user during a turn. While a tool runs, the engine takes a message, and the model hears it with the result of the tool.
 * While text streams, the model would hear it only after the answer. Until then the message stays with the host, where the user can change
 * it.
 */
import type { Message } from '../../../../ahp/channels/shapes/message.ts';
import type { TakenMessage } from '../../agent.ts';
import type { CopilotTurn } from './copilotTurn.ts';

export class Steering {
  /** Messages that the engine has and the model has not. */
  readonly #handed: TakenMessage[] = [];
  #sent: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly current: CopilotTurn,
    private readonly send: (message: Message) => Promise<unknown>,
  ) {}

  /** Called when a message has come, or a tool call begins. */
  pass(): void {
    const { calls, turn } = this.current;
    if (!calls.isRunning(turn)) return;
    const taken = turn.takeSteeringMessage();
    if (!taken) return;
    this.#handed.push(taken);
    this.current.expectMessage();
    // One after the other, because the engine may take concurrent messages in any order.
    this.#sent = this.#sent
      .then(() => this.send(taken.message))
      .catch((error: unknown) => {
        const place = this.#handed.indexOf(taken);
        // The model gets it in any case.
        if (place < 0) return;
        // The host keeps it for after the turn.
        this.#handed.splice(place, 1);
        this.current.messageLost(error);
      });
  }

  /** The model has heard the next one. The engine keeps their order. */
  heard(): void {
    this.#handed.shift()?.heard();
  }
}
