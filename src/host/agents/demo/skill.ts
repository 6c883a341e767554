/** What the demo agent can do: one skill a command word. A skill acts through the same interfaces as any agent. */
import type { AgentSessionHost, AgentTurn } from '../agent.ts';
import type { DemoFiles } from './demoFiles.ts';
import type { Pace } from './pace.ts';
import type { Voice } from './voice.ts';

export interface Skill {
  /** First word of the message. */
  readonly name: string;
  /** What may follow it, as the help shows it; '' for nothing. */
  readonly parameters: string;
  /** One sentence, Markdown. */
  readonly summary: string;
  run(context: SkillContext): Promise<void>;
}

export interface SkillContext {
  readonly host: AgentSessionHost;
  readonly turn: AgentTurn;
  readonly pace: Pace;
  readonly voice: Voice;
  readonly files: DemoFiles;
  readonly permissions: DemoPermissions;
  readonly settings: DemoSettings;
  /** What followed the command word. */
  readonly argument: string;
}

/** What the person allowed for the rest of the session, and in which turn. */
export interface DemoPermissions {
  commandsAllowedIn: string | undefined;
}

/** The session's configuration and model, read when the turn starts. */
export interface DemoSettings {
  /** Commands run without asking. */
  autoApprove: boolean;
  /** File that `edit` takes when none is named. */
  notesFile: string;
  thinking: 'off' | 'short' | 'long';
}
