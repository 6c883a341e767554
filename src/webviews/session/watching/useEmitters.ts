/** The emitters of a session, asked for as long as they are shown. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import type { AskEmitters, EmitterStatus } from '../../../views/emitters/emitterRequest.ts';

const ASK_EVERY_MS = 1_000;
/** After a failure. */
const ASK_LATER_MS = 5_000;

export interface Emitters {
  /** Undefined until they are known. */
  all: readonly EmitterStatus[] | undefined;
  /** Why there is nothing newer. */
  problem: string | undefined;
  refresh(): void;
}

export function useEmitters(ask: AskEmitters): Emitters {
  const [all, setAll] = useState<readonly EmitterStatus[]>();
  const [problem, setProblem] = useState<string>();
  const asking = useRef({ timer: 0, isAsking: false, again: false, isOver: false });
  const refresh = useCallback(() => {
    const now = asking.current;
    if (now.isAsking) return void (now.again = true);
    clearTimeout(now.timer);
    now.isAsking = true;
    const next = (delayMs: number) => {
      now.isAsking = false;
      if (now.isOver) return;
      const isDue = now.again;
      now.again = false;
      now.timer = window.setTimeout(tick, isDue ? 0 : delayMs);
    };
    ask({ deed: 'list' }).then(
      (answer) => {
        setAll(answer);
        setProblem(undefined);
        next(ASK_EVERY_MS);
      },
      (error: unknown) => {
        setProblem(messageOf(error));
        next(ASK_LATER_MS);
      },
    );
  }, [ask]);
  // A hidden page asks nothing.
  const tick = () => {
    if (document.visibilityState === 'visible') refresh();
  };
  useEffect(() => {
    const now = asking.current;
    now.isOver = false;
    refresh();
    document.addEventListener('visibilitychange', tick);
    return () => {
      now.isOver = true;
      clearTimeout(now.timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [refresh]);
  return { all, problem, refresh };
}
