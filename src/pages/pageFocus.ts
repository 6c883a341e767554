/** How pages tell their shell which of them has the keyboard focus. */
import type { Disposable } from '../base/lifecycle.ts';
import type { SessionRef } from '../views/session/sessionRef.ts';
import type { FocusPlace } from '../webviews/focus/focusPlace.ts';

/** A page that can have the keyboard focus. */
export interface FocusPage {
  /** What commands without an argument act on while the page has the focus: the shown session, or the session of the focused item. */
  readonly ref: SessionRef | undefined;
  /** Answers the card that has the focus in the page, if one still has it. */
  answer(how: 'approve' | 'deny'): void;
}

export interface FocusHandle extends Disposable {
  /** `none`: the keyboard focus is not in the page. */
  report(place: FocusPlace): void;
  /** The user has opened the page or come to it, and its own report may take a moment. */
  cameToFront(): void;
}

/** Of one shell. */
export interface PageFocus {
  /** A new page is the last until it has the focus. */
  add(page: FocusPage): FocusHandle;
}
