/** The skills of the demo agent, one for each command word. They use the same interfaces as any agent. */
import type { AgentChatHost, AgentTurn, SystemSections } from '../agent.ts';
import type { DemoFiles } from './demoFiles.ts';
import type { Pace } from './pace.ts';
import type { Voice } from './voice.ts';

export interface Skill {
  /** First word of the message. */
  readonly name: string;
  /** Arguments, as the help shows them. Empty for none. */
  readonly parameters: string;
  /** One sentence, Markdown. */
  readonly summary: string;
  run(context: SkillContext): Promise<void>;
}

export interface SkillContext {
  readonly host: AgentChatHost;
  readonly turn: AgentTurn;
  readonly pace: Pace;
  readonly voice: Voice;
  readonly files: DemoFiles;
  readonly settings: DemoSettings;
  /** What tool providers add to the system message, which a model would read. */
  readonly sections: SystemSections;
  /** The text after the command word. */
  readonly argument: string;
}

/** The configuration of the session and the model of the chat, read when the turn starts. */
export interface DemoSettings {
  /** The file that `edit` changes when none is named. */
  notesFile: string;
  thinking: 'off' | 'short' | 'long';
}
