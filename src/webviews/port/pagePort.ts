/** The way of a page to the shell in which it runs: VS Code, or a browser with a portal behind it. */

/** What a page sends, as far as its port looks at it. */
export interface PortMessage {
  readonly type: string;
}

/** What the user did, and the shell has not got, or may not have. */
export interface Unsent {
  message: PortMessage;
  /** For the user. */
  reason: string;
  /** It was sent, and the connection was cut before the shell said that it has come. */
  isUnknown: boolean;
}

export interface PortListener {
  /** Lists of messages, in order. */
  receive(message: unknown): void;
  /** Told once for each. */
  unsent(unsent: Unsent): void;
  /** Why the shell cannot be reached now. Undefined: it can again. Then the page is told everything anew. */
  link(problem: string | undefined): void;
}

export interface PagePort {
  post(message: PortMessage): void;
  /** Called once, before anything is posted. */
  listen(listener: PortListener): void;
  /** What {@link keep} got last, also before the page was loaded anew. Not checked. */
  kept(): unknown;
  keep(state: unknown): void;
  /** False for an address that the shell does not open. The page shows it as text then. */
  opens(href: string): boolean;
  /** The page shows another session from now on. */
  shows(session: { hostId: string; uri: string } | undefined): void;
}
