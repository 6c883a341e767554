/** What a run that is queued waits for, by the English words of the portal (src/portal/queue), such as “waits for run 1a2b3c4d (nightly) in this folder”. */
import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../text/oneLine.ts';

/* eslint-disable texts/translated -- what the portal writes is English */
/** In characters. */
const MAX_READ = 2_000;
const BEFORE = ', before it in the queue';
const FOLDER = 'in this folder';
const HOST = 'in its folder at the agent host ';
const MODEL = 'with the model ';
const PLACES = [FOLDER, HOST, MODEL];

/** Words that this version does not know stay as they are. */
export function queueText(queuedFor: string, limit: number): string {
  const line = oneLine(queuedFor, MAX_READ);
  const isBefore = line.endsWith(BEFORE);
  const words = known(isBefore ? line.slice(0, -BEFORE.length) : line);
  if (words === undefined) return oneLine(queuedFor, limit);
  return oneLine(isBefore ? l10n.t`${words}, before it in the queue` : words, limit);
}

function known(line: string): string | undefined {
  if (Object.hasOwn(fixed, line)) return fixed[line];
  const [, time] = /^waits until (\d{4}-\d\d-\d\d \d\d:\d\d)$/u.exec(line) ?? [];
  if (time !== undefined) return l10n.t`waits until ${time}`;
  const any = fieldsOf(line, ['waits for one of these ', ', of which there may be ', ': ']);
  if (any) return l10n.t`waits for one of these ${placeText(any[0])}, of which there may be ${any[1]}: ${holdersText(any[2])}`;
  const some = fieldsOf(line, ['waits until ', ' of these ', ' have ended: ']);
  if (some) return l10n.t`waits until ${some[0]} of these ${placeText(some[1])} have ended: ${holdersText(some[2])}`;
  const [one] = fieldsOf(line, ['waits for ']) ?? [];
  if (one === undefined) return undefined;
  // The last one, because a job has any name.
  const end = Math.max(...PLACES.map((place) => one.lastIndexOf(`) ${place}`)));
  return end < 0 ? undefined : l10n.t`waits for ${holderText(one.slice(0, end + 1))} ${placeText(one.slice(end + 2))}`;
}

/** What stands after each of the marks. */
function fieldsOf<const Marks extends readonly string[]>(line: string, marks: Marks): { [K in keyof Marks]: string } | undefined {
  const fields: string[] = [];
  let from = 0;
  for (const [index, mark] of marks.entries()) {
    const at = line.indexOf(mark, from);
    if (at < 0 || (index === 0 && at > 0)) return undefined;
    if (index > 0) fields.push(line.slice(from, at));
    from = at + mark.length;
  }
  return [...fields, line.slice(from)] as { [K in keyof Marks]: string };
}

const fixed: Readonly<Record<string, string>> = {
  'waits until the portal has its jobs': l10n.t('waits until the portal has its jobs'),
  'begins now': l10n.t('begins now'),
};

function placeText(place: string): string {
  if (place === FOLDER) return l10n.t({ message: 'in this folder', comment: 'a run' });
  if (place.startsWith(HOST)) return l10n.t`in its folder at the agent host ${place.slice(HOST.length)}`;
  return place.startsWith(MODEL) ? l10n.t`with the model ${place.slice(MODEL.length)}` : place;
}

/** “run 1a2b3c4d (nightly), task 5e6f7a8b (Build) and 2 more” */
function holdersText(holders: string): string {
  const [end, more] = / and (\d{1,9}) more$/u.exec(holders) ?? [];
  const named = end === undefined ? holders : holders.slice(0, -end.length);
  const names = l10n.commaText(named.split(/, (?=(?:run|task) [\w-]{1,8} \()/u).map(holderText));
  return more === undefined ? names : l10n.t`${names} and ${more} more`;
}

function holderText(holder: string): string {
  const [, kind, id = '', name = ''] = /^(run|task) ([\w-]{1,8}) \((.*)\)$/u.exec(holder) ?? [];
  if (kind === undefined) return holder;
  return kind === 'run' ? l10n.t`run ${id} (${name})` : l10n.t`task ${id} (${name})`;
}
