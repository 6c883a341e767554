/**
 * What a person says in the middle of a turn. While a tool runs, the engine takes it and the model hears it with the tool's result. While
 * text streams it would hear it only after the answer: until then the message stays with the host, where it can be changed.
 */
import type { UserMessage } from '../../../../ahp/v1/common.ts';
import type { TakenMessage } from '../../agent.ts';
import type { CopilotTurn } from './copilotTurn.ts';

export class Steering {
  /** The engine has them, the model has not. */
  readonly #handed: TakenMessage[] = [];
  #sent: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly current: CopilotTurn,
    private readonly send: (message: UserMessage) => Promise<unknown>,
  ) {}

  /** A message came, or a tool begins. */
  pass(): void {
    const { calls, turn } = this.current;
    if (!calls.isRunning(turn)) return;
    const message = turn.takeSteeringMessage();
    if (!message) return;
    this.#handed.push(message);
    this.current.expectMessage();
    // One after the other: what is sent at once the engine may take in any order.
    this.#sent = this.#sent
      .then(() => this.send(message.userMessage))
      .catch((error: unknown) => {
        const place = this.#handed.indexOf(message);
        // The model has it all the same.
        if (place < 0) return;
        // The host keeps it for after the turn.
        this.#handed.splice(place, 1);
        this.current.messageLost(error);
      });
  }

  /** The model was given the next one: the engine keeps their order. */
  heard(): void {
    this.#handed.shift()?.heard();
  }
}
