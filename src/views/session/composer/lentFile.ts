/** What is said of an attachment that is lent to a host (`ahp/lentFiles`). */
import * as l10n from '../../../base/l10n.ts';
import { parseLentUri } from '../../../ahp/lentFiles.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { oneLine } from '../../text/oneLine.ts';

/** What this window lends to the host of a session now, and by which id the host knows it. */
export interface Lending {
  clientId: string;
  uris: readonly URI[];
}

export interface LentNote {
  /** Beside its name. */
  note: string;
  detail: string;
}

/** Undefined for an attachment that is not lent. */
export function lentNote(uri: URI, isFolder: boolean, hostLabel: string, lending: Lending | undefined): LentNote | undefined {
  const parsed = parseLentUri(uri);
  if (!parsed) return undefined;
  const host = oneLine(hostLabel);
  if (parsed.clientId !== lending?.clientId)
    return {
      note: l10n.t('lent by another window'),
      detail: isFolder
        ? l10n.t`This folder, with what is in it, is on the computer of the window that attached it, which decides whether ${host} can read it.`
        : l10n.t`This file is on the computer of the window that attached it, which decides whether ${host} can read it.`,
    };
  if (!lending.uris.includes(uri))
    return {
      note: l10n.t('no longer lent'),
      detail: isFolder
        ? l10n.t`This folder, with what is in it, was lent, and ${host} cannot read it any more. Attach the folder again if it should.`
        : l10n.t`This file was lent, and ${host} cannot read it any more. Attach the file again if it should.`,
    };
  return {
    note: l10n.t`lent to ${host}`,
    detail: isFolder
      ? l10n.t`This folder, with what is in it, is on this computer. ${host} can read it while the session exists and this window is open, until you take it back. Press to see what is lent.`
      : l10n.t`This file is on this computer. ${host} can read it while the session exists and this window is open, until you take it back. Press to see what is lent.`,
  };
}
