import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../text/oneLine.ts';

/** Who did something, by the words of a record. Names of clients stay as they are. */
export function byText(by: string, limit: number): string {
  const said = Object.hasOwn(known, by) ? known[by] : undefined;
  if (said !== undefined) return said;
  const client = /^the client (".*")$/su.exec(by)?.[1];
  return client === undefined ? oneLine(by, limit) : l10n.t`the client ${oneLine(client, limit)}`;
}

const known: Readonly<Record<string, string>> = {
  'the command line': l10n.t('the command line'),
  'the portal’s page': l10n.t('the portal’s page'),
  'a program over HTTP': l10n.t('a program over HTTP'),
  'a program': l10n.t('a program'),
  'another client of the agent host': l10n.t('another client of the agent host'),
  somebody: l10n.t('somebody'),
};
