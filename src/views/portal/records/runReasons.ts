/** Why a run cannot work, or go on, in its folder: as the portal records it, in English, and as people of other languages read it. */
import { english, type Phrase, phrase, type Words } from '../../../base/text/phrase.ts';
import { phraseOfForm, type Shape } from '../../../base/text/phraseOfForm.ts';
import { stillLocked } from '../../../base/text/stillLocked.ts';

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
  left: (why: Words, ...work: [branch: Words, path: Words]) =>
    phrase`${why} Its work is left on ${work[0]}, in ${work[1]}. Continue the job to try it again.`,
};

const textShape: Shape = { source: '[^]*?' };
/** Absolute, and in quotes where JSON writes it. */
const pathShape: Shape = { source: String.raw`"?(?:/|[A-Za-z]:|\\)[^\n]*?` };
const branchShape: Shape = { source: String.raw`[^\s~^:?*[\\]+` };
const placeShape: Shape = {
  source: `(?:${english(places.branch(branchShape.source))}|${english(places.noBranch())})`,
  read: (text) => ofForm(text, places.branch, [branchShape]) ?? ofForm(text, places.noBranch, []),
};
const secondsShape: Shape = { source: String.raw`[\d.,]+` };
const lockedShape: Shape = {
  source: english(stillLocked(pathShape.source, secondsShape.source)),
  read: (text) => ofForm(text, stillLocked, [pathShape, secondsShape]),
};
/** What Git has said, or why it could do nothing. */
const whyShape: Shape = { ...textShape, read: (text) => lockedShape.read?.(text) ?? text };
const work = [branchShape, pathShape];

/** Of the values of each, so that nobody's own words, and no name of a file or folder, are taken for ours. */
const shapes: Readonly<Record<keyof typeof runReasons, readonly Shape[]>> = {
  stillRuns: [],
  noFolder: [pathShape],
  noPlace: [],
  noTree: [pathShape],
  noCommit: [pathShape],
  noTrees: [pathShape, whyShape],
  isGone: [pathShape, branchShape],
  elsewhere: [pathShape],
  noTreeAnyMore: [pathShape],
  unresolved: [pathShape, textShape],
  branchConflict: [textShape, branchShape, branchShape, { source: String.raw`\k<v1>` }, pathShape],
  otherBranch: [pathShape, placeShape, placeShape, ...work],
  conflict: [placeShape, textShape, ...work],
  overwrites: [pathShape, textShape, ...work],
  notMerged: [pathShape, whyShape, ...work],
  left: [lockedShape, ...work],
};

/** Of a record. Undefined for what is of no known form. */
export function runReasonOf(text: string): Phrase | undefined {
  for (const name of Object.keys(shapes) as (keyof typeof runReasons)[]) {
    const found = ofForm(text, runReasons[name], shapes[name]);
    if (found) return found;
  }
  return undefined;
}

function ofForm(
  text: string,
  make: (...values: [string, string, string, string, string]) => Phrase,
  of: readonly Shape[],
): Phrase | undefined {
  return phraseOfForm(text, make('', '', '', '', '').text, of);
}
