/** Programs that were refused because they have the token of an earlier gateway, and the question whether to let one in. */
import * as l10n from '../../base/l10n.ts';
import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import { oneLine } from '../text/oneLine.ts';
import type { EarlierToken } from './facts.ts';
import { node, type ProvidersNode, WARNING } from './node.ts';
import { namedText } from '../text/decisionLines.ts';

const NAME_LENGTH = 100;
const MEANS = l10n.t(
  'It was refused, because the gateway has another token by now. That is so for a program that was started before the gateway, or in a terminal that was opened before.',
);

/** For a row and a list. */
export function whoHas({ names }: EarlierToken): string {
  return names.length === 0
    ? l10n.t('A program')
    : l10n.listText(
        names.map((name) => oneLine(name, NAME_LENGTH)),
        'disjunction',
      );
}

export function earlierTokenNodes({ earlierTokens = [] }: Pick<GatewayStatus, 'earlierTokens'>): ProvidersNode[] {
  const [only, ...more] = earlierTokens;
  if (!only) return [];
  const row = (token: EarlierToken) =>
    ({
      icon: WARNING,
      tooltip: MEANS,
      context: 'earlierToken',
      action: 'letProviderIn',
      subject: { kind: 'earlierToken', token },
    }) as const;
  const count = earlierTokens.length;
  const label = l10n.plural(
    count,
    l10n.t`${l10n.countText(count)} program has the token of an earlier gateway`,
    l10n.t`${l10n.countText(count)} programs have the token of an earlier gateway`,
  );
  if (more.length === 0) return [node({ id: 'earlierTokens', label, description: l10n.t`${whoHas(only)} · Let it in…`, ...row(only) })];
  const children = earlierTokens.map((token) =>
    node({ id: `earlierToken ${token.id}`, label: whoHas(token), description: l10n.t('Let it in…'), ...row(token) }),
  );
  return [node({ id: 'earlierTokens', label, tooltip: MEANS, icon: WARNING, children, isOpen: true })];
}

/** `isFull`: the token is let in for as many names as can be. */
export function notLetIn(name: string | undefined, isFull: boolean | undefined): string {
  if (!isFull) return l10n.t('No program with the token of an earlier gateway waits any more.');
  if (name === undefined)
    return l10n.t(
      'The program was not let in: its token is let in for five names already. Start it again in a new terminal, so that it has the right token.',
    );
  const who = namedText(oneLine(name, NAME_LENGTH));
  return l10n.t`${who} was not let in: its token is let in for five names already. Start it again in a new terminal, so that it has the right token.`;
}

/** `name`: under which it is let in; undefined where none is known. */
export function letInQuestion(name: string | undefined): { title: string; detail: string } {
  const otherwise = l10n.t(
    'If you do not know it, or are not sure, do not let it in: start your program again in a new terminal, so that it has the right token.',
  );
  if (name === undefined)
    return {
      title: l10n.t('Let a program in that has the token of an earlier gateway?'),
      detail: [
        l10n.sentencesText([MEANS, l10n.t('No program is known to have used this token.')]),
        l10n.t(
          'If you let it in, it can lend tools to your sessions at its next attempt, and until the gateway ends, and do what you have allowed programs of the name that it gives. That is the first program that shows this token.',
        ),
        otherwise,
      ].join('\n\n'),
    };
  const who = namedText(oneLine(name, NAME_LENGTH));
  return {
    title: l10n.t`Let ${who} in with the token of an earlier gateway?`,
    detail: [
      l10n.sentencesText([
        MEANS,
        l10n.t(
          'A program that shows the token gives this name, or gave it then. Another one that has got hold of the token can give the same name.',
        ),
      ]),
      l10n.t`If you let ${who} in, it can lend tools to your sessions at its next attempt, and until the gateway ends, and do what you have allowed programs of this name: use hooks and context, and start turns.`,
      otherwise,
    ].join('\n\n'),
  };
}
