/**
 * Where sessions work, as part of the configuration of every agent's sessions: in the folder that the user chose, or in a git worktree that
 * is created for the session.
 */
import { stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandResult } from '../../../ahp/channels/commands.ts';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import type { ProjectInfo } from '../../../ahp/channels/shapes/basic.ts';
import type { SessionConfigPropertySchema, SessionConfigSchema } from '../../../ahp/channels/shapes/config.ts';
import { messageOf } from '../../../base/errors.ts';
import * as l10n from '../../../base/l10n.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import type { Logger } from '../../../base/log.ts';
import { Git, mainWorktreeOf, workTreeOf } from '../../../base/node/git/git.ts';
import { addWorktree, discardWorktree, type Worktree } from './sessionWorktree.ts';

/** Where a session works. */
export interface Workspace {
  /** Real path. */
  workingDirectory: string;
  project?: ProjectInfo;
  worktree?: Worktree;
}

const MAX_COMPLETIONS = 50;
export const ISOLATION = 'isolation';
const BRANCH = 'branch';
const hostProperties: ReadonlySet<string> = new Set([ISOLATION, BRANCH]);

export class SessionWorkspaces {
  /** `worktrees`: the folder for new worktrees. */
  constructor(
    private readonly worktrees: string,
    private readonly logger: Logger,
  ) {}

  /** The options for a working directory (a real path), and those values of `config` that fit. Empty outside a repository. */
  async resolve(workingDirectory: string, config: Readonly<Record<string, unknown>> = {}): Promise<CommandResult<'resolveSessionConfig'>> {
    const repository = await workTreeOf(workingDirectory);
    const current = repository && (await currentBranch(repository));
    if (repository === undefined || current === undefined) return { schema: { type: 'object', properties: {} }, values: {} };
    const isolation = config[ISOLATION] === 'worktree' ? 'worktree' : 'folder';
    const asked = config[BRANCH];
    const branch = isolation === 'worktree' && typeof asked === 'string' && asked !== '' ? asked : current;
    return {
      schema: { type: 'object', properties: { [ISOLATION]: isolationProperty, [BRANCH]: branchProperty(current, isolation === 'folder') } },
      values: { [ISOLATION]: isolation, [BRANCH]: branch },
    };
  }

  /** The branches of the repository, the newest first. Undefined for properties of the agent. */
  async completions(
    property: string,
    query: string,
    workingDirectory: string,
  ): Promise<CommandResult<'sessionConfigCompletions'>['items'] | undefined> {
    if (property !== BRANCH) return undefined;
    const repository = await workTreeOf(workingDirectory);
    if (repository === undefined) return [];
    const format = '--format=%(refname:lstrip=2)%00%(committerdate:relative)';
    const git = await Git.in(repository);
    const listed = await git.text('for-each-ref', '--sort=-committerdate', format, 'refs/heads');
    return listed
      .split('\n')
      .map((line) => line.split('\0'))
      .flatMap(([value = '', description = '']) => (value === '' ? [] : [{ value, label: value, description }]))
      .filter(({ value }) => value.toLowerCase().includes(query.toLowerCase()))
      .slice(0, MAX_COMPLETIONS);
  }

  /** Creates what the values say. Rejects with InvalidParams and a reason for the user. */
  async prepare(workingDirectory: string, values: Readonly<Record<string, unknown>> | undefined): Promise<Workspace> {
    const repository = await workTreeOf(workingDirectory);
    const main = repository === undefined ? undefined : await mainWorktreeOf(repository);
    const project = main === undefined ? undefined : { uri: pathToFileURL(main).href, displayName: basename(main) };
    if (values?.[ISOLATION] !== 'worktree') return { workingDirectory, ...(project && { project }) };
    if (repository === undefined || main === undefined || project === undefined)
      throw invalid(l10n.t`config.${ISOLATION}: ${workingDirectory} is not in a git repository, so it cannot have a worktree`);
    let worktree: Worktree;
    try {
      worktree = await addWorktree(this.worktrees, main, String(values[BRANCH]));
    } catch (error) {
      throw invalid(l10n.t`the git worktree could not be created: ${messageOf(error)}`);
    }
    const inside = join(worktree.path, relative(repository, workingDirectory));
    if (await isFolder(inside)) return { workingDirectory: inside, project, worktree };
    await discardWorktree(worktree, this.logger);
    throw invalid(l10n.t`the branch ${String(values[BRANCH])} has no folder ${relative(repository, workingDirectory)}`);
  }

  /** Called after the session was deleted. Never rejects. */
  async discard(worktree: Worktree): Promise<void> {
    await discardWorktree(worktree, this.logger);
  }
}

/** The schema of an existing session: where it works cannot be changed. */
export function settledSchema(schema: SessionConfigSchema): SessionConfigSchema {
  const properties = Object.entries(schema.properties).map(([key, property]) => [
    key,
    hostProperties.has(key) ? { ...property, readOnly: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, SessionConfigPropertySchema> };
}

/** Why a worktree cannot be had where there is no repository. The schema alone would only say that the property is unknown. */
export function isolationProblem(schema: SessionConfigSchema, given: Readonly<Record<string, unknown>>): string | undefined {
  if (given[ISOLATION] !== 'worktree' || Object.hasOwn(schema.properties, ISOLATION)) return undefined;
  return l10n.t`config.${ISOLATION}: there can be no worktree, because the working directory is in no git repository with a branch`;
}

const isolationProperty: SessionConfigPropertySchema = {
  type: 'string',
  title: l10n.t('Isolation'),
  description: l10n.t('Whether the agent works in your folder or in a git worktree of its own.'),
  enum: ['folder', 'worktree'],
  enumLabels: [l10n.t('Folder'), l10n.t('Worktree')],
  enumDescriptions: [
    l10n.t('The agent changes the files that you see.'),
    l10n.t('The agent gets a git worktree with a branch of its own. Your files stay as they are until you take its work over.'),
  ],
  default: 'folder',
};

function branchProperty(current: string, readOnly: boolean): SessionConfigPropertySchema {
  return {
    type: 'string',
    title: l10n.t('Branch'),
    description: readOnly ? l10n.t('The branch of your folder.') : l10n.t('The branch that the worktree begins at.'),
    enumDynamic: true,
    default: current,
    ...(readOnly && { readOnly }),
  };
}

/** The default branch for a worktree. Undefined for a repository without a commit, and for one with a detached HEAD and no branches. */
async function currentBranch(repository: string): Promise<string | undefined> {
  const git = await Git.in(repository);
  const branches = await git.text('for-each-ref', '--sort=-committerdate', '--format=%(HEAD)%(refname:lstrip=2)', 'refs/heads');
  const names = branches.split('\n').filter((line) => line !== '');
  return (names.find((line) => line.startsWith('*')) ?? names[0])?.slice(1);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function invalid(message: string): RpcError {
  return new RpcError(ErrorCode.InvalidParams, message);
}
