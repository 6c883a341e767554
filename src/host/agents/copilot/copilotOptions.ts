/** The configuration of a Copilot session, and its meaning. */
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionConfigSchema } from '../../../ahp/channels/shapes/config.ts';
import * as l10n from '../../../base/l10n.ts';

export type Approvals = 'ask' | 'edits' | 'all';
export interface CopilotSettings {
  approvals: Approvals;
  autoApproveReads: boolean;
  mode: 'interactive' | 'plan';
}

export const configSchema: SessionConfigSchema = {
  type: 'object',
  properties: {
    mode: {
      type: 'string',
      title: l10n.t('Mode'),
      description: l10n.t('Whether the agent works, or only makes a plan that you agree to first.'),
      enum: ['interactive', 'plan'],
      enumLabels: [l10n.t({ message: 'Work', comment: 'a verb' }), l10n.t('Plan first')],
      default: 'interactive',
      sessionMutable: true,
    },
    approvals: {
      type: 'string',
      title: l10n.t('Approvals'),
      description: l10n.t('What the agent may do without asking you.'),
      enum: ['ask', 'edits', 'all'],
      enumLabels: [l10n.t({ message: 'Ask', comment: 'a verb' }), l10n.t('Edit without asking'), l10n.t('Do everything without asking')],
      enumDescriptions: [
        l10n.t('You decide on every change, command, page and tool, but for what “Read without asking” covers.'),
        l10n.t(
          'Files of the working directory that Git tracks, and new ones in folders with such files, are changed at once. These still ask: files that Git ignores, names that begin with a dot, instructions for agents, and files that make other programs run something, such as Git hooks. Without Git only the last three ask, and only by their names. Everything else asks.',
        ),
        l10n.t(
          'Commands run, pages are fetched and tools are called at once; commands can do whatever you can. Files outside the working directory, and those that ask with “Edit without asking”, still ask.',
        ),
      ],
      default: 'ask',
      sessionMutable: true,
    },
    autoApproveReads: {
      type: 'boolean',
      title: l10n.t('Read without asking'),
      description: l10n.t(
        'The agent reads files in the working directory without asking, sees the state of its session, and has what it says checked against these files and the record of its commands. Paths with “..”, links, everything outside and the streams of providers always ask.',
      ),
      default: true,
      sessionMutable: true,
    },
  },
};

/** The defaults of the schema, with those of the given values that fit it. */
export function configValues(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configSchema.properties).map(([key, property]) => {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      const fits = property.enum ? property.enum.includes(value as string) : typeof value === property.type;
      return [key, fits ? value : property.default];
    }),
  );
}

export function settingsOf({ config }: Pick<SessionState, 'config'>): CopilotSettings {
  const { approvals, autoApproveReads, mode } = configValues(config?.values);
  return { approvals: approvals as Approvals, autoApproveReads: autoApproveReads === true, mode: mode as CopilotSettings['mode'] };
}
