/** The commands of the composer with which something is watched: what is offered, what Enter does with them, and how that is said before. */
import * as l10n from '../../../base/l10n.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { LOOP, type Loop, loopOf } from '../../../views/emitters/loopCommand.ts';
import type { NewEmitter } from '../../../views/emitters/emitterRequest.ts';
import { explanationOf, tapPrompts } from '../../../views/emitters/tapPrompts.ts';
import { ownChat } from '../../../views/session/chats.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import type { Draft } from '../protocol.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { askEmitters } from './askEmitters.ts';
import { type ReadHint, useIsRead } from './useReadHint.ts';

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
      detail: l10n.t('INTERVAL what: runs a command, or sends a message, again and again, such as /loop 5m check the deploy'),
    };
    const prompts = tapPrompts.map(({ name, argument, help }) => ({ command: `/${name} `, detail: `${argument}: ${help}` }));
    return [...(watches ? [loop] : []), ...prompts].filter(({ command }) => command.startsWith(typed) && command.trim() !== typed);
  },

  /**
   * The message that is to be sent, or nothing where Enter came twice. Rejects with a text for the user: then nothing was started. `starts`: the
   * words are the user's own, so a loop is one. `isMeant`: what Enter does was shown before it was pressed.
   */
  async send(
    draft: Draft,
    open: OpenChat,
    post: SessionPort['post'],
    { starts, isMeant }: { starts: boolean; isMeant: boolean },
  ): Promise<Draft | 'started' | undefined> {
    const loop = starts ? loopOf(draft.text) : undefined;
    if (!loop) {
      const item = explanationOf(draft.text, promptsOf(open.session));
      return item ? { ...draft, items: [...(draft.items ?? []), item] } : draft;
    }
    const problem = problemOf(loop, draft, open);
    if (loop.kind === 'wrong' || problem !== undefined) throw new Error(problem);
    if (!isMeant) throw new Error(NOT_READ);
    if (starting.has(draft)) return undefined;
    starting.add(draft);
    try {
      await askEmitters(post)({ deed: 'start', emitter: loop.emitter });
      return 'started';
    } finally {
      starting.delete(draft);
    }
  },

  /** What a loop that begins a session watches. Throws a text for the user: then nothing is started. `isMeant`: as for `send`. */
  first(draft: Draft, isMeant: boolean): NewEmitter | undefined {
    const loop = loopOf(draft.text);
    if (loop?.kind === 'wrong') throw new Error(loop.problem);
    if (loop && !isMeant) throw new Error(NOT_READ);
    return loop?.emitter;
  },

  /** What Enter will do. */
  Hint({ draft, open, isTyped, ...on }: HintProps) {
    const loop = loopOf(draft.text);
    if (!loop) return null;
    if (!isTyped)
      return (
        <p class="loop-hint hint" role="status">
          {NOT_TYPED}
        </p>
      );
    const problem = problemOf(loop, draft, open);
    if (loop.kind === 'wrong' || problem !== undefined)
      return (
        <p class="loop-hint hint">
          <VisibleText text={problem ?? ''} prose />
        </p>
      );
    return <StartHint of={draft.text} loop={loop} {...on} />;
  },
};

const NOT_READ = l10n.t('Nothing was started yet. Look at what Enter does, and press it again.');
const NOT_TYPED = l10n.t(
  'Enter sends this to the agent as a message, because not all of it was typed or pasted here by you. To start a loop, empty the field and write it yourself.',
);

interface StartHintProps {
  onRead: ReadHint['read'];
  onOther(text: string): void;
}

interface HintProps extends StartHintProps {
  draft: Draft;
  open: OpenChat | undefined;
  /** The user's own words. Others are a message, whatever they say. */
  isTyped: boolean;
}

function StartHint({ of: text, loop, onRead, onOther }: StartHintProps & { of: string; loop: Exclude<Loop, { kind: 'wrong' }> }) {
  const isRead = useIsRead(text, onRead);
  return (
    <div class="loop-hint" data-read={isRead} role="group" aria-label={l10n.t('What Enter does')}>
      <p class="hint" role="status">
        {loop.says}
      </p>
      <pre class="loop-text">
        {loop.kind === 'command' && '$ '}
        <VisibleText text={loop.text} />
      </pre>
      <button type="button" class="link-button" onClick={() => onOther(loop.other)}>
        {loop.kind === 'command' ? l10n.t('Send it as a message instead') : l10n.t('Run it as a command instead')}
      </button>
    </div>
  );
}

/** Why it cannot be started. */
function problemOf(loop: Loop, { attachments, items = [] }: Draft, open: OpenChat | undefined): string | undefined {
  if (loop.kind === 'wrong') return loop.problem;
  const own = open && ownChat(open.session);
  if (own !== undefined && own !== open?.chat.resource) {
    const title = oneLine(open?.session.chats.find(({ resource }) => resource === own)?.title, 60);
    return title
      ? l10n.t`A loop belongs to the session, and what it sends goes to its first chat “${title}”, not to this one. Start it there.`
      : l10n.t('A loop belongs to the session, and what it sends goes to its first chat, not to this one. Start it there.');
  }
  if (attachments.length + items.length > 0) return l10n.t('A loop takes no attachments. Remove them first.');
  return undefined;
}

/** The names of the host's own prompts. */
function promptsOf({ customizations = [] }: SessionState): string[] {
  return customizations
    .flatMap((one) => ('children' in one ? (one.children ?? []) : []))
    .flatMap((child) => (child.type === 'prompt' ? [child.name] : []));
}
