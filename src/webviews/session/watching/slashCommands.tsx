/** The commands of the composer with which something is watched: what is offered, what Enter does with them, and how that is said before. */
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { LOOP, loopOf } from '../../../views/emitters/loopCommand.ts';
import { explanationOf, tapPrompts } from '../../../views/emitters/tapPrompts.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import type { Draft } from '../protocol.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { askEmitters } from './askEmitters.ts';

export interface OfferedCommand {
  command: string;
  detail: string;
}

/** Drafts about which the gateway is being asked. */
const starting = new WeakSet<Draft>();

export const slashCommands = {
  /** `watches`: the shell can start something. */
  offered(typed: string, watches: boolean): OfferedCommand[] {
    const loop = {
      command: `${LOOP} `,
      detail: 'INTERVAL what: runs a command, or sends a message, again and again, such as /loop 5m check the deploy',
    };
    const prompts = tapPrompts.map(({ name, argument, help }) => ({ command: `/${name} `, detail: `${argument}: ${help}` }));
    return [...(watches ? [loop] : []), ...prompts].filter(({ command }) => command.startsWith(typed) && command.trim() !== typed);
  },

  /** The message that is to be sent, or nothing where Enter came twice. Rejects with a text for the user: then nothing was started. */
  async send(draft: Draft, session: SessionState, post: SessionPort['post'], watches: boolean): Promise<Draft | 'started' | undefined> {
    const loop = watches ? loopOf(draft.text) : undefined;
    if (!loop) {
      const item = explanationOf(draft.text, promptsOf(session));
      return item ? { ...draft, items: [...(draft.items ?? []), item] } : draft;
    }
    if (loop.kind === 'wrong') throw new Error(loop.problem);
    if (starting.has(draft)) return undefined;
    starting.add(draft);
    try {
      await askEmitters(post)({ deed: 'start', emitter: loop.emitter });
      return 'started';
    } finally {
      starting.delete(draft);
    }
  },

  /** What Enter will do. */
  Hint({ text, onOther }: { text: string; onOther(text: string): void }) {
    const loop = loopOf(text);
    if (!loop) return null;
    if (loop.kind === 'wrong') return <p class="loop-hint hint">{loop.problem}</p>;
    return (
      <div class="loop-hint" role="group" aria-label="What Enter does">
        <p class="hint" role="status">
          {loop.says}
        </p>
        <pre class="loop-text">
          {loop.kind === 'command' && '$ '}
          <VisibleText text={loop.text} />
        </pre>
        <button type="button" class="link-button" onClick={() => onOther(loop.other)}>
          {loop.kind === 'command' ? 'Send it as a message instead' : 'Run it as a command instead'}
        </button>
      </div>
    );
  },
};

/** The names of the host's own prompts. */
function promptsOf({ customizations = [] }: SessionState): string[] {
  return customizations
    .flatMap((one) => ('children' in one ? (one.children ?? []) : []))
    .flatMap((child) => (child.type === 'prompt' ? [child.name] : []));
}
