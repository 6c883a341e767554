/** The demo agent in one chat. It runs the skill that the first word of a message names. */
import { modelCallsMeta } from '../../../ahp/common/modelCalls.ts';
import { dropGrants } from '../../../ahp/grants.ts';
import * as l10n from '../../../base/l10n.ts';
import { splitContext } from '../../../base/text/contextBlock.ts';
import type { AgentChat, AgentChatHost, AgentTurn } from '../agent.ts';
import { code, plain } from '../markdown.ts';
import { labelOf } from '../attachmentWords.ts';
import { defaultModel, settingsOf } from './demoOptions.ts';
import { DemoFiles } from './demoFiles.ts';
import { grantsIn } from '../grantsIn.ts';
import { Pace, type Wait } from './pace.ts';
import { type SideSource, sideSource } from '../sideSource.ts';
import { findSkill, helpTable } from './skills.ts';
import { Voice } from './voice.ts';

/** No model counts tokens here, so this many characters count as one. */
const CHARACTERS_PER_TOKEN = 4;

/** What a model would know in a side chat. */
function asideWords({ turns, selection }: SideSource): string {
  const known = l10n.plural(turns.length, l10n.t('a turn of it'), l10n.t`${l10n.countText(turns.length)} turns of it`);
  return selection === undefined
    ? l10n.t`This is a side chat. The other one does not hear of it. I know ${known}.`
    : l10n.t`This is a side chat. The other one does not hear of it. I know ${known}, and that you ask about “${plain(selection.slice(0, 100))}”.`;
}

export class DemoChat implements AgentChat {
  readonly #files: DemoFiles;

  constructor(
    private readonly host: AgentChatHost,
    private readonly wait: Wait,
  ) {
    this.#files = new DemoFiles(host);
  }

  async runTurn(turn: AgentTurn): Promise<void> {
    const model = turn.message.model ?? this.host.model ?? defaultModel;
    const { pieceMs, ...settings } = settingsOf(this.host.sessionState, model);
    const pace = new Pace(this.wait, pieceMs, turn.signal);
    const voice = new Voice(turn, pace);
    const { text, attachments = [] } = turn.message;
    const sections = await turn.sections({});
    const { skill, argument } = findSkill(splitContext(text).words);
    try {
      const aside = sideSource(this.host);
      if (aside && this.host.chatState.turns.length === 0) await voice.say(asideWords(aside));
      if (turn.isResumed) await voice.say(l10n.t('I go on where I was interrupted.'));
      else if (attachments.length > 0)
        await voice.say(l10n.t`You attached ${l10n.commaText(attachments.map((one) => code(labelOf(one))))}. I do not open attachments.`);
      if (skill)
        await skill.run({
          host: this.host,
          turn,
          pace,
          voice,
          settings,
          files: this.#files,
          sections,
          argument,
        });
      else
        await voice.say(
          `${l10n.t('I am only the **demo agent**. No model reads your message; I look at its first word. Try one of these:')}\n\n${helpTable()}`,
        );
    } finally {
      turn.usage({
        inputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
        outputTokens: Math.ceil(voice.characters / CHARACTERS_PER_TOKEN),
        // eslint-disable-next-line texts/translated -- beside an id, and read by programs too
        model: `${model.id} (tokens are estimates)`,
        _meta: modelCallsMeta(1),
      });
    }
  }

  /** Grants of turns that were removed end. So do those of the session's other chats: the user is asked again. */
  truncate(turnId: string | undefined): void {
    const { turns } = this.host.chatState;
    const kept = turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
    dropGrants(grantsIn(this.host), (grant) => grant.kind === 'everyCommand' && !kept.some(({ id }) => id === grant.turnId));
  }

  dispose(): void {}
}
