import type { URI } from '../../ahp/common/shapes.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { ShownHost } from '../shownHost.ts';

/** Where the session of a page works. */
export interface SessionPlace<H extends ShownHost = ShownHost> {
  host: H;
  session: SessionRef;
  /** In which the session works. */
  folder: URI | undefined;
}
