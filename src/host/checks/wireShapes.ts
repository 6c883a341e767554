/** Shapes of the protocol's types that clients send inside commands and actions. */
import {
  arrayOf,
  boolean,
  either,
  finiteNumber,
  integer,
  name,
  object,
  oneOf,
  record,
  recordOf,
  string,
  tagged,
  type Shape,
} from './shape.ts';

/** Anything with a scheme; what it points to is another check. */
export const uri: Shape = (value, path) =>
  name(value, path) ?? (/^[a-z][a-z0-9+.-]*:/i.test(value as string) ? undefined : `${path} must be a URI with a scheme`);

export const stringOrMarkdown = either('a string or {markdown}', string, object({ markdown: string }));

export const userMessage = object({ text: string }, { attachments: arrayOf(object({ type: name, uri: string }, { displayName: string })) });

export const modelSelection = object({ id: name }, { config: recordOf(string) });

const objectSchema = object({ type: oneOf('object') }, { properties: recordOf(record), required: arrayOf(string) });

export const toolDefinition = object(
  { name },
  { title: string, description: string, inputSchema: objectSchema, outputSchema: objectSchema, annotations: record, _meta: record },
);

const customizationRef = object(
  { uri: name, displayName: string },
  { description: string, icons: arrayOf(object({ src: string })), nonce: string },
);

export const activeClient = object(
  { clientId: name, tools: arrayOf(toolDefinition) },
  { displayName: string, customizations: arrayOf(customizationRef) },
);

const contentRef = { uri: name };
const contentRefExtras = { sizeHint: finiteNumber, contentType: string };
const editSide = object({ uri: name, content: object(contentRef, contentRefExtras) });

export const toolResultContent = arrayOf(
  tagged('type', {
    text: object({ text: string }),
    embeddedResource: object({ data: string, contentType: string }),
    resource: object(contentRef, contentRefExtras),
    fileEdit: object({}, { before: editSide, after: editSide, diff: object({}, { added: finiteNumber, removed: finiteNumber }) }),
    terminal: object({ resource: name, title: string }),
    subagent: object({ resource: name, title: string }, { agentName: string, description: string }),
  }),
);

export const toolCallResult = object(
  { success: boolean, pastTenseMessage: stringOrMarkdown },
  { content: toolResultContent, structuredContent: record, error: object({ message: string }, { code: string }) },
);

const answerValue = tagged('kind', {
  text: object({ value: string }),
  number: object({ value: finiteNumber }),
  boolean: object({ value: boolean }),
  selected: object({ value: string }, { freeformValues: arrayOf(string) }),
  'selected-many': object({ value: arrayOf(string) }, { freeformValues: arrayOf(string) }),
});

export const inputAnswer = tagged('state', {
  draft: object({ value: answerValue }),
  submitted: object({ value: answerValue }),
  skipped: object({}, { freeformValues: arrayOf(string) }),
});

const claims: Readonly<Record<string, Shape>> = {
  client: object({ clientId: name }),
  session: object({ session: uri }, { turnId: name, toolCallId: name }),
};
/** Only the claims that a v1 host can honour. */
export const terminalClaim: Shape = (value, path) =>
  object({ kind: oneOf('client', 'session') })(value, path) ?? tagged('kind', claims)(value, path);

/** Columns or rows: what a pty can be set to. */
export const terminalSize = integer(1, 1000);
