/** A page without a browser, and a shell that can do nothing which is optional. */
import type { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import { Emitter, type Event } from '../../src/base/event.ts';
import { nullLogger } from '../../src/base/log.ts';
import type { PageFocus } from '../../src/pages/pageFocus.ts';
import type { PagePort, PageShell } from '../../src/pages/pagePort.ts';
import type { SessionPageServices } from '../../src/pages/session/sessionPageServices.ts';
import type { ShownHost, ShownHosts } from '../../src/pages/shownHost.ts';
import { hostConnectionView } from '../../src/views/hosts/hostConnectionView.ts';
import { hostInput } from '../../src/views/sessionList/hostInput.ts';

const never: Event<never> = () => ({ dispose: () => undefined });

export class FakePage<Out> {
  /** Each list that the page has got. */
  readonly posts: Out[][] = [];
  readonly #posted = new Emitter<void>();
  readonly #message = new Emitter<unknown>();
  readonly onDidPost = this.#posted.event;
  /** What a slow page takes next. */
  readonly #untaken: (() => void)[] = [];
  isSlow = false;

  readonly port: PagePort<Out> = {
    post: (messages) => {
      this.posts.push(messages);
      this.#posted.fire();
      return this.isSlow ? new Promise<void>((resolve) => this.#untaken.push(resolve)) : Promise.resolve();
    },
    onMessage: this.#message.event,
  };

  get messages(): Out[] {
    return this.posts.flat();
  }

  /** What the page says. */
  say(message: unknown): void {
    this.#message.fire(message);
  }

  take(): void {
    for (const resolve of this.#untaken.splice(0)) resolve();
  }
}

export class FakeShell implements PageShell {
  readonly errors: string[] = [];
  readonly done: string[] = [];
  readonly logger = nullLogger;
  readonly focus: PageFocus = {
    add: () => ({ report: (place) => void this.done.push(`focus ${place}`), cameToFront: () => undefined, dispose: () => undefined }),
  };

  showError = (text: string) => void this.errors.push(text);
  copy = async (text: string) => void this.done.push(`copy ${text}`);
  openExternal = async (url: string) => void this.done.push(`open ${url}`);
}

export function shownHost(client: AgentHostClient, id = 'h'): ShownHost {
  const label = 'a host';
  const input = () => hostInput(id, label, hostConnectionView(client.state, Date.now()), client);
  return { id, label, kind: 'configured', client, root: client.root(), readOnly: undefined, connection: {}, input };
}

export function shownHosts(host: ShownHost): ShownHosts {
  const onDidChange: Event<void> = (listener) => {
    const all = [host.client.onDidChangeState(() => listener()), host.client.sessions.onDidChange(() => listener())];
    return { dispose: () => all.forEach((one) => one.dispose()) };
  };
  return { all: [host], get: (id) => (id === host.id ? host : undefined), onDidChange, onDidCountDown: never };
}

export function sessionServices(shell: FakeShell, hosts: ShownHosts): SessionPageServices {
  const { logger, focus, showError, copy, openExternal } = shell;
  return {
    ...{ logger, focus, showError, copy, openExternal, hosts },
    drafts: { ofHost: () => ({}), set: async () => undefined, sent: { restore: () => undefined, store: async () => undefined } },
    decisions: { of: () => [], onDidChange: never },
    settings: { shareDrafts: () => false, composerAnswers: () => false },
    openSession: ({ uri }) => void shell.done.push(`session ${uri}`),
  };
}
