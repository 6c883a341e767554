/** The models and the session configuration of the demo agent, and their meaning for a turn. */
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { ConfigPropertySchema, SessionConfigSchema } from '../../../ahp/channels/shapes/config.ts';
import type { SessionModelInfo } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import * as l10n from '../../../base/l10n.ts';
import type { DemoSettings } from './skill.ts';

export const PROVIDER = 'demo';

const thinking = {
  type: 'string',
  title: l10n.t({ message: 'Thinking', comment: 'how much an agent does' }),
  description: l10n.t('How much reasoning the demo agent shows before it answers.'),
  enum: ['off', 'short', 'long'],
  enumLabels: [l10n.t('Off'), l10n.t('Short'), l10n.t('Long')],
  default: 'short',
} satisfies ConfigPropertySchema;

export const demoModels: SessionModelInfo[] = [
  {
    id: 'demo-steady',
    provider: PROVIDER,
    name: l10n.t('Demo (steady)'),
    configSchema: { type: 'object', properties: { thinking } },
  },
  { id: 'demo-fast', provider: PROVIDER, name: l10n.t('Demo (fast)') },
];

export const defaultModel: ModelSelection = { id: 'demo-steady' };

/** Milliseconds between two words. */
const pieceMs: Readonly<Record<string, number>> = { 'demo-steady': 15, 'demo-fast': 2 };

export const configSchema: SessionConfigSchema = {
  type: 'object',
  properties: {
    approvals: {
      type: 'string',
      title: l10n.t('Commands'),
      description: l10n.t('Whether `run` asks before it runs a command, and `client` before it calls a tool.'),
      enum: ['ask', 'auto'],
      enumLabels: [l10n.t({ message: 'Ask', comment: 'a verb' }), l10n.t('Run without asking')],
      enumDescriptions: [l10n.t('You decide on every command.'), l10n.t('Commands run at once. They can do whatever you can.')],
      default: 'ask',
      sessionMutable: true,
    },
    notesFile: {
      type: 'string',
      title: l10n.t('Notes file'),
      description: l10n.t('The file that `edit` and `read` take when the message names none.'),
      enumDynamic: true,
      default: 'notes.md',
      sessionMutable: true,
    },
  },
};

/** The defaults of the schema, with those of the given values that fit it. */
export function configValues(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configSchema.properties).map(([key, property]) => {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      const fits = typeof value === 'string' && value !== '' && (!property.enum || property.enum.includes(value));
      return [key, fits ? value : property.default];
    }),
  );
}

/** Whether calls run without a question now: the user may switch it off while a turn runs. */
export function runsUnasked({ config }: Pick<SessionState, 'config'>): boolean {
  return configValues(config?.values).approvals === 'auto';
}

export function settingsOf({ config }: Pick<SessionState, 'config'>, model: ModelSelection): DemoSettings & { pieceMs: number } {
  const values = configValues(config?.values);
  const asked = model.config?.thinking;
  return {
    notesFile: String(values.notesFile),
    thinking: asked === 'off' || asked === 'long' ? asked : 'short',
    pieceMs: pieceMs[model.id] ?? 15,
  };
}
