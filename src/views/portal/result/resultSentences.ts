/** What the user is told before something is done with the result of a run, and after it: on pages, in VS Code and in a terminal. */
import * as l10n from '../../../base/l10n.ts';
import type { BranchPushed, PullRequestPlan } from '../answers/pullRequestAnswers.ts';
import type { CommitPlan, ResultCommitted } from '../answers/resultAnswers.ts';

/** Why a plan opens no pull request. */
export const withoutGh = {
  missing: l10n.t('gh, the program that opens pull requests, is not installed where the portal runs.'),
  signedOut: l10n.t('gh, the program that opens pull requests, is not signed in there.'),
  silent: l10n.t('gh, the program that opens pull requests, did not say in time whether it is signed in there.'),
  unusable: l10n.t('gh, the program that opens pull requests, has none for such an address.'),
} as const satisfies Record<Exclude<PullRequestPlan['gh'], 'ready'>, string>;

/** After where it is pushed to, in a terminal. */
// eslint-disable-next-line texts/translated -- for the command line
export const PUSHED_SO = 'and never over what is there. Hooks of your repository are not run.';
export const FOLDER_HOOKS = l10n.t('The address is a repository on the computer of the portal, whose own hooks are run.');
export const COMMITS_UNKNOWN = l10n.t('It is not known here which of its commits the remote has.');
export const PAGE_AFTER = l10n.t('Where the remote names an address for a new pull request, it is shown after the push.');

/** After what is committed and where. */
export const COMMITTED_SO = l10n.t('Hooks of the repository are not run, and nothing is pushed.');
export const LEFT_OUT = l10n.t('Left out, because it is not in the folder of the run:');

/** Where the folder of the run is after a commit of its work. */
export function folderStays({ base }: CommitPlan): string {
  return base === undefined
    ? l10n.t('The folder stays where it is, with the changes in it.')
    : l10n.t`The folder stays on ${base}, with the changes in it.`;
}

export function committed({ commit, branch, folder }: ResultCommitted): string {
  return l10n.t`Committed as ${commit} on the branch ${branch}, in ${folder}. Nothing was pushed.`;
}

export function pushed({ commit, branch, address, opened }: BranchPushed): string {
  return opened
    ? l10n.t`Pushed ${commit} to the branch ${branch} of ${address}. The pull request is open.`
    : l10n.t`Pushed ${commit} to the branch ${branch} of ${address}.`;
}
