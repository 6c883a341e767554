/** What a task does without asking, by the English words of the portal (src/portal/entry/approve.ts). */
import * as l10n from '../../../base/l10n.ts';
import { shownText } from '../shownText.ts';

/* eslint-disable texts/translated -- what the portal writes is English */
const JOB_TOOLS = 'calls the job tools, which only report to the portal';
const EDITS = 'reads and changes files in its folder';
const END = ', without asking';
const EVERYTHING = 'runs commands, which can do whatever you can, fetches pages, calls tools, and reads and changes files in its folder';
/* eslint-enable texts/translated */

const known: Readonly<Record<string, string>> = {
  [JOB_TOOLS]: l10n.t('calls the job tools, which only report to the portal'),
  [EDITS]: l10n.t('reads and changes files in its folder'),
  [`${JOB_TOOLS}, ${EDITS}`]: l10n.t('calls the job tools, which only report to the portal, and reads and changes files in its folder'),
  [`${EDITS}, ${JOB_TOOLS}`]: l10n.t('calls the job tools, which only report to the portal, and reads and changes files in its folder'),
  [EVERYTHING]: l10n.t(
    'runs commands, which can do whatever you can, fetches pages, calls tools, and reads and changes files in its folder',
  ),
};

/** What it does, for where it stands that it is without asking. Undefined where this version does not know all of it. */
export function unaskedText(what: string): string | undefined {
  const end = what.indexOf(END);
  const [deeds, rest] = end < 0 ? ['', ''] : [what.slice(0, end), what.slice(end + END.length)];
  const [, host] = /^, at the agent host “(.+)”$/su.exec(rest) ?? [];
  const said = Object.hasOwn(known, deeds) ? known[deeds] : undefined;
  if (said === undefined || (rest !== '' && host === undefined)) return undefined;
  return host === undefined ? said : l10n.t`${said}, at the agent host “${shownText(host)}”`;
}
