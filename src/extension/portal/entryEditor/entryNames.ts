/** The names that can stand at a place of an entry: its tasks, jobs, models, hosts and variables, and tools. What the schema knows VS Code completes. */
import { getLocation, getNodeValue, type JSONPath, parseTree } from 'jsonc-parser';
import { isRecord } from '../../../base/isRecord.ts';
import { jobToolNames } from '../../../portal/entry/jobTools.ts';
import { runtimeVariables } from '../../../portal/prompts/variables.ts';
import { MAX_ENTRY_LENGTH } from '../entryMarks.ts';

export interface OfferedName {
  name: string;
  /** What it is. */
  kind: 'task' | 'job' | 'model' | 'agent host' | 'variable' | 'tool';
}

export interface OfferedNames {
  names: OfferedName[];
  /** What they stand in for. */
  offset: number;
  length: number;
  /** They are whole strings, and not a part of one. */
  isWhole: boolean;
}

/** Undefined where no name can stand. */
export function entryNames(text: string, offset: number): OfferedNames | undefined {
  if (text.length > MAX_ENTRY_LENGTH) return undefined;
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  if (isAtPropertyKey) return undefined;
  const inside = previousNode?.type === 'string' && previousNode.offset < offset && offset < previousNode.offset + previousNode.length;
  // A text with a fault is read as far as that can be done.
  const tree = parseTree(text);
  const value: unknown = tree && getNodeValue(tree);
  const entry = isRecord(value) ? value : {};
  if (isPrompt(path)) return inside ? inPrompt(text, offset, entry) : undefined;
  const kind = kindAt(path);
  if (!kind) return undefined;
  const names = namesOf(entry, kind).map((name) => ({ name, kind }));
  const place =
    previousNode?.type === 'string' && (inside || previousNode.offset + previousNode.length === offset) ? previousNode : undefined;
  return { names, offset: place?.offset ?? offset, length: place?.length ?? 0, isWhole: true };
}

function isPrompt(path: JSONPath): boolean {
  const [part, , ...rest] = path;
  if (typeof path.at(-1) !== 'number') return false;
  if (part === 'promptVariables') return rest.length === 1;
  return part === 'tasks' && ['prompt', 'condition', 'additionalPrompt'].includes(String(path.at(-2)));
}

function kindAt(path: JSONPath): keyof typeof members | undefined {
  const [part] = path;
  const last = path.at(-1);
  if (last === 'taskId' && part === 'jobs') return 'task';
  if (part === 'tasks' && path.at(-2) === 'previousTasks') return 'task';
  if (last === 'jobName' && part === 'grid') return 'job';
  if (last === 'category' && (part === 'tasks' || part === 'jobs')) return 'model';
  // eslint-disable-next-line texts/translated -- an id
  if (last === 'host' && part === 'tasks' && path.length === 3) return 'agent host';
  return undefined;
}

const members = { task: 'tasks', job: 'jobs', model: 'models', 'agent host': 'hosts', variable: 'promptVariables' } as const;

function namesOf(entry: Record<string, unknown>, kind: keyof typeof members): string[] {
  const named = entry[members[kind]];
  return isRecord(named) ? Object.keys(named) : [];
}

/** Variables after a `$`, and tools of jobs after the beginning that their names have in common. */
function inPrompt(text: string, offset: number, entry: Record<string, unknown>): OfferedNames | undefined {
  const [before] = /(?:\$[\p{L}-]*|(?<![\p{L}\d_])job_[a-z_]*)$/u.exec(text.slice(0, offset)) ?? [];
  if (before === undefined) return undefined;
  const [after = ''] = /^[\p{L}_-]*/u.exec(text.slice(offset)) ?? [];
  const names: OfferedName[] = before.startsWith('$')
    ? [...namesOf(entry, 'variable'), ...runtimeVariables].map((name) => ({ name: `$${name}`, kind: 'variable' }))
    : jobToolNames.map((name) => ({ name, kind: 'tool' }));
  return { names, offset: offset - before.length, length: before.length + after.length, isWhole: false };
}
