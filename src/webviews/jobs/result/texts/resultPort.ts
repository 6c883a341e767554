/** How the result of one run is asked for, and where its files are opened: by the portal's page itself, or by VS Code. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  ChangeRef,
  DocumentRef,
  OfferedDeed,
  ResultAnswer,
  ResultBody,
  ResultQuestion,
} from '../../../../views/portal/result/resultQuestions.ts';

export interface ResultPort {
  /** Rejects with why there is no answer, in words for the user. */
  ask<Q extends ResultQuestion>(question: Q, body: ResultBody<Q>, signal?: AbortSignal): Promise<ResultAnswer<Q>>;
  /** Absent: the page shows changes itself, and files have the address at which a browser opens them in VS Code. */
  vsCode?: {
    /** In its own editor of differences. */
    showChange(change: ChangeRef): void;
    open(file: ChangeRef | DocumentRef): void;
    /** What its commands can begin here from now on. */
    offers(deeds: readonly OfferedDeed[]): void;
  };
  /** The address to open for a link of a document. Undefined: it leads nowhere. */
  linkOf(href: string): string | undefined;
  openLink(address: string): void;
}

export const ResultPortContext = createContext<ResultPort | undefined>(undefined);

export function useResultPort(): ResultPort {
  const port = useContext(ResultPortContext);
  // eslint-disable-next-line texts/translated -- for programmers
  if (!port) throw new Error('A result needs a port.');
  return port;
}
