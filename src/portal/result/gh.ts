/** GitHub's own program, `gh`, where the user has it. It is given everything as arguments, and reads no repository. */
import { tmpdir } from 'node:os';
import { runUnattended, type UnattendedEnd } from '../../base/node/git/unattendedRun.ts';

const ASK_MS = 10_000;
export const OPEN_MS = 60_000;
/** It is not to ask, to look for newer versions of itself, to log what it sends, or to do all that in another repository. */
const env = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GH_NO_EXTENSION_UPDATE_NOTIFIER: '1', GH_DEBUG: '', GH_REPO: '' };

/** `ready`: it is signed in there. `silent`: it did not say so in time. */
export type GhState = 'ready' | 'signedOut' | 'missing' | 'silent';

export async function ghState(host: string): Promise<GhState> {
  const end = await gh(host, ['auth', 'status', `--hostname=${host}`], ASK_MS);
  if (end.kind === 'ended') return end.succeeded ? 'ready' : 'signedOut';
  return end.kind === 'missing' ? 'missing' : 'silent';
}

export interface RequestToOpen {
  host: string;
  /** `OWNER/NAME` there. */
  repository: string;
  /** It is there already. */
  branch: string;
  base: string;
  title: string;
  body: string;
}

export function openWithGh({ host, repository, branch, base, title, body }: RequestToOpen, signal: AbortSignal): Promise<UnattendedEnd> {
  const given = [`--repo=${host}/${repository}`, `--head=${branch}`, `--base=${base}`, `--title=${title}`, '--body-file=-'];
  return gh(host, ['pr', 'create', ...given], OPEN_MS, { input: body, signal });
}

function gh(host: string, args: string[], timeoutMs: number, more: { input?: string; signal?: AbortSignal } = {}): Promise<UnattendedEnd> {
  // It would give this token to any host that a repository names.
  const isOther = host !== process.env['GH_HOST'];
  const tokens = isOther ? { GH_ENTERPRISE_TOKEN: undefined, GITHUB_ENTERPRISE_TOKEN: undefined } : {};
  return runUnattended({ command: 'gh', args, cwd: tmpdir(), env: { ...env, ...tokens }, timeoutMs, ...more });
}
