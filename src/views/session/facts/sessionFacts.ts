/** A session in a few facts, for its own model. Hosts may say anything, at any length. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import type { SessionFacts } from '../../../tap/wire/owner/ownerQuestions.ts';
import { configFields } from '../../configForm/configFields.ts';
import { oneLine } from '../../text/oneLine.ts';
import { nextModel } from '../composer/composer.ts';
import { todoList } from '../todos/todoList.ts';

const MAX = { settings: 60, choices: 50, queue: 20, clients: 50, tasks: 100, background: 50 };

/** `title`: of the session. `clientId`: who asks. */
export function sessionFacts(session: SessionState, title: string, chat: ChatState | undefined, clientId: string): SessionFacts {
  const model = chat && oneLine(nextModel(chat)?.id);
  const activity = oneLine(chat?.activity);
  const agent = oneLine(session.provider);
  const waiting = [...(chat?.steeringMessage ? [chat.steeringMessage] : []), ...listOf(chat?.queuedMessages)];
  return {
    title: oneLine(title),
    ...(agent !== '' && { agent }),
    ...(activity !== '' && { activity }),
    turn: listOf(session.inputNeeded).some(({ kind }) => kind !== 'toolClientExecution')
      ? 'waitsForUser'
      : chat?.activeTurn
        ? 'running'
        : 'idle',
    ...(model && { model }),
    settings: settingsOf(session),
    queue: waiting.slice(0, MAX.queue).map(({ message }) => oneLine(message.text)),
    clients: session.activeClients.slice(0, MAX.clients).map((client) => ({
      name: oneLine(client.displayName ?? client.clientId),
      tools: client.tools.length,
      isThisOwner: client.clientId === clientId,
    })),
    tasks: (chat ? (todoList(chat, session)?.items ?? []) : [])
      .slice(0, MAX.tasks)
      .map(({ text, state }) => ({ text: oneLine(text), state })),
    background: listOf(chat?.backgroundWork)
      .slice(0, MAX.background)
      .map(({ label }) => oneLine(label)),
  };
}

function settingsOf({ config }: SessionState): SessionFacts['settings'] {
  if (!config) return [];
  return configFields(config.schema, config.values)
    .flatMap((field): SessionFacts['settings'] => {
      const about = { id: oneLine(field.id), title: oneLine(field.title) };
      if (field.kind === 'switch') return [{ ...about, value: field.value }];
      if (field.kind !== 'choice' || field.value === '') return [];
      const canChange = field.isMutable && !field.isReadOnly && !field.isDynamic;
      const choices = field.options.slice(0, MAX.choices).map(({ value }) => oneLine(value));
      return [{ ...about, value: oneLine(field.value), ...(canChange && { choices }) }];
    })
    .slice(0, MAX.settings);
}
