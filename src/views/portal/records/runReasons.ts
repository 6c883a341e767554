/** Why a run cannot work, or go on, in its folder: as the portal records it, in English, and as people of other languages read it. */
import { type Phrase, phrase, type Words } from '../../../base/text/phrase.ts';
import { phraseOfForm } from '../../../base/text/phraseOfForm.ts';

/** Where a folder is. */
export const places = {
  branch: (name: Words) => phrase`the branch ${name}`,
  noBranch: () => phrase`a commit without a branch`,
};

/** `work`: the branch that has what was done, and its work tree. */
export const runReasons = {
  stillRuns: () => phrase`its run of before still runs`,
  noFolder: (folder: Words) => phrase`its folder ${folder} is not there`,
  noPlace: () => phrase`the job works in work trees of Git, and this portal has no place for them`,
  noTree: (folder: Words) => phrase`${folder} is in no work tree of Git, which the job needs.`,
  noCommit: (folder: Words) =>
    phrase`${folder} is in a repository without a commit, and the job works in work trees, which begin with one.`,
  noTrees: (folder: Words, why: Words) => phrase`The job works in work trees of Git, and ${folder} can have none: ${why}`,
  isGone: (path: Words, branch: Words) =>
    phrase`The work tree ${path} of this run is gone, and its branch ${branch} too, with what was done. Start a new run.`,
  elsewhere: (path: Words) => phrase`The configuration of the repository puts the files of ${path} elsewhere.`,
  noTreeAnyMore: (path: Words) =>
    phrase`${path} is no work tree of Git any more. Keep what you need of it, and move it away: what was committed is on its branch.`,
  unresolved: (path: Words, files: Words) => phrase`In ${path} a merge has conflicts that are not resolved: ${files}.`,
  branchConflict: (files: Words, first: Words, branch: Words, path: Words) =>
    phrase`Two branches of a Par have changed ${files}. What came first is in ${first}, and this is left on ${branch}. Run “git merge ${first}” in ${path}, commit what you have resolved, and continue the job.`,
  otherBranch: (folder: Words, now: Words, before: Words, ...work: [branch: Words, path: Words]) =>
    phrase`${folder} is at ${now} now, and was at ${before} when the run began. Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
  conflict: (place: Words, files: Words, ...work: [branch: Words, path: Words]) =>
    phrase`The run and ${place} have both changed ${files}. Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
  overwrites: (folder: Words, files: Words, ...work: [branch: Words, path: Words]) =>
    phrase`${folder} has work that is not committed in ${files}, which a merge would overwrite. Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
  notMerged: (folder: Words, why: Words, ...work: [branch: Words, path: Words]) =>
    phrase`The work could not be merged into ${folder}: ${why} Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
  // Last, because it begins with anything.
  left: (why: Words, ...work: [branch: Words, path: Words]) =>
    phrase`${why} Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
};

const formsOf = (phrases: object) =>
  (Object.values(phrases) as ((...values: Words[]) => Phrase)[]).map((make) => make('', '', '', '', '', '').text);
const reasonForms = formsOf(runReasons);
const placeForms = formsOf(places);

/** Of a record. Undefined for what is of no known form. */
export function runReasonOf(text: string): Phrase | undefined {
  const found = ofForms(text, reasonForms);
  return found && { ...found, values: found.values.map((value) => ofForms(String(value), placeForms) ?? value) };
}

function ofForms(text: string, forms: readonly string[]): Phrase | undefined {
  for (const form of forms) {
    const found = phraseOfForm(text, form);
    if (found) return found;
  }
  return undefined;
}
