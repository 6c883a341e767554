/** Tools with which the model reads and answers comments on lines of files. They change nothing but the session's comments. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '@github/copilot-sdk';
import type { Annotation, AnnotationEntry } from '../../../../ahp/channels/annotations.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import type { AgentChatHost } from '../../agent.ts';
import { BY_AGENT, commentsText, pathOf, rangeOfLines } from '../../comments.ts';
import { shownPath } from '../turn/toolTexts.ts';

type CommentHost = Pick<AgentChatHost, 'annotations' | 'annotate' | 'session' | 'workingDirectory'>;
type Values = Readonly<Record<string, unknown>>;

interface CommentTool {
  description: string;
  properties: Record<string, object>;
  required: string[];
  /** Returns what the model is told. Throws with what is wrong. `turn`: in which the model calls it. */
  run(host: CommentHost, values: Values, turn: CommentTurn): string;
}
interface CommentTurn {
  id: string;
  chat: string;
}

const MAX_RESOLVED = 100;
const text = (description: string) => ({ type: 'string', description });
const line = (description: string) => ({ type: 'integer', minimum: 1, description });

const tools: Readonly<Record<string, CommentTool>> = {
  addComment: {
    description: 'Adds a comment to lines of a file, or to a whole file. The user sees it beside the code and can answer.',
    properties: {
      path: text('Of the file, absolute or relative to the working directory.'),
      text: text('The comment, in Markdown.'),
      line: line('The first line, from 1. Absent: the comment is about the whole file.'),
      endLine: line('The last line. Absent: the same line.'),
    },
    required: ['path', 'text'],
    run(host, values, { id: turnId, chat }) {
      const { session } = host;
      const [first, last = first] = [lineIn(values, 'line'), lineIn(values, 'endLine')];
      const id = randomUUID();
      host.annotate({
        type: 'annotations/set',
        annotation: {
          ...{ id, origin: { session, chat, turnId }, resource: resourceIn(host, values), resolved: false, entries: [entryOf(values)] },
          ...(first !== undefined && last !== undefined && { range: rangeOfLines(first, last) }),
        },
      });
      return `Added the comment ${id}.`;
    },
  },
  listComments: {
    description: 'Lists the comments on files of this session with their ids and answers.',
    properties: {
      path: text('Only those on this file.'),
      resolved: { type: 'boolean', description: 'Also those that are resolved.' },
    },
    required: [],
    run(host, values) {
      const resource = values.path === undefined ? undefined : resourceIn(host, values);
      const isListed = (annotation: Annotation) =>
        (resource === undefined || annotation.resource === resource) && (values.resolved === true || !annotation.resolved);
      const found = host.annotations.filter(isListed);
      return found.length === 0 ? 'There are no such comments.' : commentsText(found, (path) => shownPath(path, host.workingDirectory));
    },
  },
  replyToComment: {
    description: 'Answers a comment.',
    properties: { comment: text('The id of the comment.'), text: text('The answer, in Markdown.') },
    required: ['comment', 'text'],
    run(host, values) {
      host.annotate({ type: 'annotations/entrySet', annotationId: textIn(values, 'comment'), entry: entryOf(values) });
      return 'Answered.';
    },
  },
  resolveComments: {
    description: 'Marks comments as resolved, once what they ask for is done.',
    properties: { comments: { type: 'array', items: { type: 'string' }, description: 'The ids of the comments.' } },
    required: ['comments'],
    run(host, { comments }) {
      if (!Array.isArray(comments) || !comments.every((id) => typeof id === 'string') || comments.length > MAX_RESOLVED)
        throw new Error(`comments must be a list of at most ${MAX_RESOLVED} ids.`);
      for (const annotationId of comments) host.annotate({ type: 'annotations/updated', annotationId, resolved: true });
      return 'Resolved.';
    },
  },
};

export const commentToolNames: readonly string[] = Object.keys(tools);

/** What the model is told about its call. Throws with what is wrong. */
export function runCommentTool(host: CommentHost, toolName: string, args: unknown, turn: CommentTurn): string {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (!tool) throw new Error(`there is no tool ${toolName}`);
  return tool.run(host, isRecord(args) ? args : {}, turn);
}

/** `answer` carries out a call. It may be called more than once for the same call. */
export function commentTools(answer: (toolName: string, args: unknown, toolCallId: string) => Promise<string>): Tool[] {
  return Object.entries(tools).map(([name, { description, properties, required }]) => ({
    name,
    description,
    parameters: { type: 'object', properties, required },
    // They do nothing with the computer.
    skipPermission: true,
    handler: async (args: unknown, { toolCallId }) => await answer(name, args, toolCallId),
  }));
}

function entryOf(values: Values): AnnotationEntry {
  return { id: randomUUID(), text: { markdown: textIn(values, 'text') }, _meta: BY_AGENT };
}

/** The client's URI of a file that is commented on already, which may be written in another way. */
function resourceIn({ workingDirectory, annotations }: CommentHost, values: Values): string {
  const path = resolve(workingDirectory, textIn(values, 'path'));
  return annotations.find(({ resource }) => pathOf(resource) === path)?.resource ?? pathToFileURL(path).href;
}

function textIn(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new Error(`${name} is missing, a string.`);
  return value;
}

function lineIn(values: Values, name: string): number | undefined {
  const value = values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a line, from 1.`);
  return value;
}
