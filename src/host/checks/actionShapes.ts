/** The shape of every action that a client may dispatch, by type. */
import { arrayOf, boolean, name, object, oneOf, record, recordOf, string, type Shape } from './shape.ts';
import {
  activeClient,
  inputAnswer,
  modelSelection,
  stringOrMarkdown,
  terminalClaim,
  terminalSize,
  toolCallResult,
  toolDefinition,
  toolResultContent,
  uri,
  userMessage,
} from './wireShapes.ts';

const session = { session: uri };
const turn = { ...session, turnId: name };
const toolCall = { ...turn, toolCallId: name };
const meta = { _meta: record };
const terminal = { terminal: uri };
const pendingKind = oneOf('steering', 'queued');

const approval = object(
  { ...toolCall, confirmed: oneOf('not-needed', 'user-action', 'setting') },
  { ...meta, editedToolInput: string, selectedOptionId: name },
);
const denial = object(
  { ...toolCall, reason: oneOf('denied', 'skipped') },
  { ...meta, reasonMessage: stringOrMarkdown, userSuggestion: userMessage, selectedOptionId: name },
);
const decision: Shape = (value, path) =>
  object({ approved: boolean })(value, path) ?? ((value as { approved: boolean }).approved ? approval : denial)(value, path);

const unsetOrActiveClient: Shape = (value, path) => (value === null ? undefined : activeClient(value, path));

export const actionShapes: Readonly<Record<string, Shape>> = {
  'root/configChanged': object({ config: record }, { replace: boolean }),
  'session/turnStarted': object({ ...turn, userMessage }, { queuedMessageId: name }),
  'session/turnCancelled': object(turn),
  'session/toolCallConfirmed': decision,
  'session/toolCallComplete': object({ ...toolCall, result: toolCallResult }, { ...meta, requiresResultConfirmation: boolean }),
  'session/toolCallResultConfirmed': object({ ...toolCall, approved: boolean }, meta),
  'session/toolCallContentChanged': object({ ...toolCall, content: toolResultContent }, meta),
  'session/titleChanged': object({ ...session, title: string }),
  'session/modelChanged': object({ ...session, model: modelSelection }),
  'session/activeClientChanged': object({ ...session, activeClient: unsetOrActiveClient }),
  'session/activeClientToolsChanged': object({ ...session, tools: arrayOf(toolDefinition) }),
  'session/pendingMessageSet': object({ ...session, kind: pendingKind, id: name, userMessage }),
  'session/pendingMessageRemoved': object({ ...session, kind: pendingKind, id: name }),
  'session/queuedMessagesReordered': object({ ...session, order: arrayOf(name) }),
  'session/inputAnswerChanged': object({ ...session, requestId: name, questionId: name }, { answer: inputAnswer }),
  'session/inputCompleted': object(
    { ...session, requestId: name, response: oneOf('accept', 'decline', 'cancel') },
    { answers: recordOf(inputAnswer) },
  ),
  'session/customizationToggled': object({ ...session, uri: name, enabled: boolean }),
  'session/truncated': object(session, { turnId: name }),
  'session/isReadChanged': object({ ...session, isRead: boolean }),
  'session/isArchivedChanged': object({ ...session, isArchived: boolean }),
  'session/configChanged': object({ ...session, config: record }, { replace: boolean }),
  'terminal/input': object({ ...terminal, data: string }),
  'terminal/resized': object({ ...terminal, cols: terminalSize, rows: terminalSize }),
  'terminal/claimed': object({ ...terminal, claim: terminalClaim }),
  'terminal/titleChanged': object({ ...terminal, title: string }),
  'terminal/cleared': object(terminal),
};
