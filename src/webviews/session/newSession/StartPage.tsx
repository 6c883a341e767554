/** The page without a session, which is loaded when there is none. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef } from 'preact/hooks';
import { latePart, useLatePart } from '../../late/latePart.ts';
import type { NewSessionProps } from '../NewSession.tsx';
import type { GestureMessage } from '../SessionView.tsx';

export const newSession = latePart(
  l10n.t('The form for a new session'),
  () => import('../NewSession.tsx'),
  (module) => module.NewSession,
);

export function StartPage(props: NewSessionProps) {
  const { gestures } = props;
  const NewSession = useLatePart(newSession);
  /** What the extension has said before the form was there. */
  const held = useRef<GestureMessage>(undefined);
  useEffect(() => {
    if (NewSession && held.current) gestures.handler?.(held.current);
    held.current = undefined;
  }, [NewSession]);
  if (NewSession) return <NewSession {...props} />;
  gestures.handler = (message) => (held.current = message);
  return <main class="session" aria-busy />;
}
