/** The wish of a session's own model for another mode, and what its user is asked about it. */
import * as l10n from '../../../base/l10n.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ModeChange } from '../../../tap/wire/owner/ownerQuestions.ts';
import { type ChoiceField, configFields } from '../../configForm/configFields.ts';
import { oneLine } from '../../text/oneLine.ts';
import { newlyUnasked, unaskedQuestion } from '../frame/unaskedSettings.ts';
import { namedText } from '../../text/decisionLines.ts';

/** The settings that are a mode, in the order in which a value is looked for: those of our host, and of VS Code's. */
const SETTINGS = ['mode', 'approvals', 'autoApprove'];

type WithConfig = Pick<SessionState, 'config'>;

/** `title`: of the session. */
export function modeChange(session: WithConfig, title: string, mode: string): ModeChange {
  const settings = modeSettings(session);
  const setting = settings.find(({ options }) => options.some(({ value }) => value === mode));
  if (!setting) return { is: 'refused', why: whyNot(settings, mode) };
  if (setting.value === mode) return { is: 'same' };
  const words = (value: string) => setting.options.find((option) => option.value === value);
  const [now, then] = [words(setting.value), words(mode)];
  const label = (option: typeof then, value: string) => namedText(oneLine(option?.label) || value);
  const unasked = newlyUnasked(session, { [setting.id]: mode });
  const { question, lasts } = unaskedQuestion.ofSession(oneLine(title));
  const parts = [
    l10n.t`The agent of ${namedText(oneLine(title))} wants to change ${namedText(oneLine(setting.title) || setting.id)} from ${label(now, setting.value)} to ${label(then, mode)}.`,
    ...(then?.description ? [oneLine(then.description)] : []),
    ...(unasked.length > 0 ? [question, lasts] : []),
  ];
  return { is: 'possible', setting: setting.id, from: setting.value, question: parts.join('\n\n') };
}

/** The change to its settings; a text: why it is not made. */
export function agreedMode(
  session: WithConfig,
  title: string,
  agreed: { mode: string; setting: string; from: string },
): Record<string, string> | string {
  const now = modeChange(session, title, agreed.mode);
  if (now.is === 'refused') return now.why;
  if (now.is === 'same' || now.setting !== agreed.setting || now.from !== agreed.from)
    // eslint-disable-next-line texts/translated -- for the model
    return 'the settings of the session have changed while the user was asked';
  return { [agreed.setting]: agreed.mode };
}

function modeSettings({ config }: WithConfig): ChoiceField[] {
  if (!config) return [];
  const fields = configFields(config.schema, config.values);
  return SETTINGS.flatMap((id) =>
    fields.filter(
      (field): field is ChoiceField =>
        field.id === id && field.kind === 'choice' && field.of === 'string' && field.isMutable && !field.isReadOnly,
    ),
  );
}

function whyNot(settings: readonly ChoiceField[], mode: string): string {
  // eslint-disable-next-line texts/translated -- for the model
  if (settings.length === 0) return 'this session has no mode that can be changed';
  const known = settings.map(({ id, options }) => `${id}: ${options.map(({ value }) => JSON.stringify(oneLine(value))).join(', ')}`);

  return `this session has no mode ${JSON.stringify(mode)}, only ${known.join('; ')}`.slice(0, 2000);
}
