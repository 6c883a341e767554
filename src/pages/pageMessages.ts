/** What a page sends. */
import { englishOf, messageOf } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { PagePort, PageShell } from './pagePort.ts';

export interface PageMessagesOptions<M extends { type: string }> {
  /** What the page is called in the log. */
  name: string;
  shell: Pick<PageShell, 'logger' | 'showError'>;
  /** Undefined: the protocol of the page has no such message. */
  parse(value: unknown): M | undefined;
  /** The user is shown why it failed. */
  handle(message: M): Promise<void>;
  /** What the protocol does not have. It is logged. */
  refuse?(value: unknown): Promise<void>;
}

/** Has each message handled that the page's protocol has, until it is disposed. */
export function onPageMessage<M extends { type: string }>(
  port: Pick<PagePort<never>, 'onMessage'>,
  options: PageMessagesOptions<M>,
): Disposable {
  const { name, shell } = options;
  const failed = (what: string) => (error: unknown) => {
    shell.logger.error(`${name}, ${what}: ${englishOf(error)}`);
    shell.showError(messageOf(error));
  };
  return port.onMessage((value: unknown) => {
    const message = options.parse(value);
    if (message) {
      options.handle(message).catch(failed(message.type));
      return;
    }
    shell.logger.warn(`${name} sent a message that its protocol does not have. Nothing was done.`);
    options.refuse?.(value).catch(failed('refusing'));
  });
}
