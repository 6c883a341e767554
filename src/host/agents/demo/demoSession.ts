/** The demo agent in one session: reads the first word of a message and does what its table says. */
import type { AgentSession, AgentSessionHost, AgentTurn } from '../agent.ts';
import { defaultModel, settingsOf } from './demoOptions.ts';
import { DemoFiles } from './demoFiles.ts';
import { code } from '../markdown.ts';
import { Pace, type Wait } from './pace.ts';
import type { DemoPermissions } from './skill.ts';
import { findSkill, helpTable } from './skills.ts';
import { Voice } from './voice.ts';

/** There is no model that would count tokens; this many characters are taken for one. */
const CHARACTERS_PER_TOKEN = 4;

export class DemoSession implements AgentSession {
  readonly #files: DemoFiles;
  readonly #permissions: DemoPermissions = { commandsAllowedIn: undefined };

  constructor(
    private readonly host: AgentSessionHost,
    private readonly wait: Wait,
  ) {
    this.#files = new DemoFiles(host);
  }

  async runTurn(turn: AgentTurn): Promise<void> {
    const { pieceMs, ...settings } = settingsOf(this.host.state);
    const pace = new Pace(this.wait, pieceMs, turn.signal);
    const voice = new Voice(turn, pace);
    const { text, attachments = [] } = turn.userMessage;
    const { skill, argument } = findSkill(text);
    try {
      if (attachments.length > 0)
        await voice.say(
          `You attached ${attachments.map(({ displayName, uri }) => code(displayName ?? uri)).join(', ')}. I do not open attachments.`,
        );
      if (skill)
        await skill.run({ host: this.host, turn, pace, voice, settings, files: this.#files, permissions: this.#permissions, argument });
      else
        await voice.say(`I am only the **demo agent**: no model reads this, I look at the first word. Try one of these:\n\n${helpTable()}`);
    } finally {
      turn.usage({
        inputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
        outputTokens: Math.ceil(voice.characters / CHARACTERS_PER_TOKEN),
        model: `${(this.host.state.summary.model ?? defaultModel).id} (tokens are estimates)`,
      });
    }
  }

  /** What was allowed in a turn that is gone is asked again. */
  truncate(turnId: string | undefined): void {
    const { turns } = this.host.state;
    const kept = turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
    if (!kept.some(({ id }) => id === this.#permissions.commandsAllowedIn)) this.#permissions.commandsAllowedIn = undefined;
  }

  dispose(): void {
    this.#permissions.commandsAllowedIn = undefined;
  }
}
