/** A page of VS Code's webviews in a browser, with what tells it what to show in this process, as the extension has it. */
import { Emitter } from '../../src/base/event.ts';
import type { PagePort } from '../../src/pages/pagePort.ts';
import { WebviewPage } from '../webview/webviewPage.ts';

interface Message {
  type: string;
}

export class ServedPage extends WebviewPage<Message> {
  readonly #said = new Emitter<unknown>();

  port<Out>(): PagePort<Out> {
    return { post: (messages) => this.sendAll(messages), onMessage: this.#said.event };
  }

  /** It has said so before anybody listened. */
  isReady(): void {
    this.#said.fire({ type: 'ready' });
  }

  protected take(message: unknown): Message {
    this.#said.fire(message);
    return message as Message;
  }
}
