/** The tools that clients lend to the session, in the form that the engine takes. */
import type { Tool, ToolResultObject } from '@github/copilot-sdk';
import type { SessionActiveClient } from '../../../../ahp/channels/session/state.ts';
import type { ToolCallResult, ToolDefinition } from '../../../../ahp/common/tools.ts';
import { sameJson } from '../../../../base/sameJson.ts';
import { markdownText } from '../../markdown.ts';

export interface ClientTool {
  /** The model's name for it. */
  name: string;
  clientId: string;
  definition: ToolDefinition;
}
/** By the model's name for them. */
export type ClientTools = ReadonlyMap<string, ClientTool>;

const MAX_NAME = 64;

/** Names that models accept: letters, digits, `_` and `-`, unique, and different from the engine's own. */
export function clientTools(lenders: readonly SessionActiveClient[], taken: ReadonlySet<string>): ClientTools {
  const tools = new Map<string, ClientTool>();
  for (const { clientId, definition } of lenders.flatMap(({ clientId, tools: lent }) =>
    lent.map((definition) => ({ clientId, definition })),
  )) {
    const plain = definition.name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME) || 'tool';
    let name = plain;
    for (let number = 1; taken.has(name) || tools.has(name); number++) {
      const suffix = `_client${number === 1 ? '' : number}`;
      name = plain.slice(0, MAX_NAME - suffix.length) + suffix;
    }
    tools.set(name, { name, clientId, definition });
  }
  return tools;
}

/** `call` runs a tool. It settles with the client's result, or rejects when the client has disconnected. */
export function engineTools(tools: ClientTools, call: (toolCallId: string) => Promise<ToolCallResult>): Tool[] {
  return [...tools.values()].map(({ name, definition }) => ({
    name,
    description: definition.description ?? definition.title ?? definition.name,
    parameters: { ...(definition.inputSchema ?? { type: 'object', properties: {} }) },
    handler: async (_args: unknown, { toolCallId }): Promise<ToolResultObject> => resultForModel(await call(toolCallId)),
  }));
}

function resultForModel({ success, pastTenseMessage, content = [], structuredContent, error }: ToolCallResult): ToolResultObject {
  const parts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'resource') return [`See ${part.uri}`];
    return [];
  });
  if (structuredContent && !parts.some((text) => says(text, structuredContent))) parts.push(JSON.stringify(structuredContent));
  const binary = content.flatMap((part) =>
    part.type === 'embeddedResource'
      ? [
          {
            data: part.data,
            mimeType: part.contentType,
            type: part.contentType.startsWith('image/') ? ('image' as const) : ('resource' as const),
          },
        ]
      : [],
  );
  const text = parts.join('\n') || error?.message || markdownText(pastTenseMessage);
  return {
    textResultForLlm: text,
    resultType: success ? 'success' : 'failure',
    ...(binary.length > 0 && { binaryResultsForLlm: binary }),
    ...(error && { error: error.message }),
  };
}

/** Many tools give what is structured as a text too, for models. */
function says(text: string, structured: object): boolean {
  try {
    return sameJson(JSON.parse(text), structured);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
