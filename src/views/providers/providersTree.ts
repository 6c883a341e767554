/** The rows of “Providers”. There are none while the gateway is off: the view then says how to begin. */
import * as l10n from '../../base/l10n.ts';
import type { OwnerResults } from '../../tap/wire/owner/ownerMessages.ts';
import { roughDuration } from '../text/time/duration.ts';
import { type ProvidersFacts, sessionTitle } from './facts.ts';
import { errorNodes, gatewayNode } from './gatewayNode.ts';
import { node, type ProvidersNode } from './node.ts';
import { providerGroups, providerNodes, toolsToReview } from './providerNodes.ts';
import { sessionsNode } from './sessionNodes.ts';
import { plainLines } from './words.ts';

type Status = OwnerResults['diagnostics'];

const OUTPUT_LENGTH = 1_000;

export function providersTree(facts: ProvidersFacts): ProvidersNode[] {
  const { gateway, sessions, now } = facts;
  if (gateway.kind === 'off') return [];
  const status = gateway.kind === 'up' ? gateway.status : undefined;
  return [
    gatewayNode(facts),
    ...(status ? providerNodes(facts, status) : []),
    sessionsNode(sessions, now),
    ...(status ? [...callsNodes(facts, status), ...projectNodes(facts, status)] : []),
    ...errorNodes(facts),
  ];
}

/** How many there are, and how many things of them wait for the user: what is asked, new tools of a provider, programs with an earlier token. */
export function providersSummary(facts: ProvidersFacts): { text: string; needsYou: number } {
  const { gateway } = facts;
  if (gateway.kind !== 'up') return { text: gateway.kind === 'off' ? l10n.t('off') : l10n.t('not connected'), needsYou: 0 };
  const { consents, earlierTokens = [] } = gateway.status;
  const asked = consents.filter(({ decision }) => decision === 'asked').length;
  const groups = providerGroups(gateway.status);
  const withNewTools = groups.filter((group) => toolsToReview(facts, group) > 0).length;
  const count = groups.length;
  const text = l10n.plural(count, l10n.t`${l10n.countText(count)} provider`, l10n.t`${l10n.countText(count)} providers`);
  return { text, needsYou: asked + earlierTokens.length + withNewTools };
}

function callsNodes(facts: ProvidersFacts, status: Status): ProvidersNode[] {
  const { calls } = status;
  if (calls.length === 0) return [];
  return [
    node({
      id: 'calls',
      label: l10n.t('Running calls'),
      description: l10n.plural(calls.length, l10n.t`${l10n.countText(calls.length)} call`, l10n.t`${l10n.countText(calls.length)} calls`),
      icon: { id: 'run' },
      isOpen: true,
      children: calls.map(({ sessionId, tool, provider, waits, ageMs }, at) =>
        node({
          id: `call ${sessionId} ${tool} ${at}`,
          label: tool,
          description: [
            provider,
            waits
              ? l10n.t`waits for its provider, for ${roughDuration(ageMs)}`
              : l10n.t({ message: 'for {0}', comment: 'how long', args: [roughDuration(ageMs)] }),
            sessionTitle(facts, status, sessionId),
          ].join(' · '),
          icon: { id: waits ? 'watch' : 'sync' },
        }),
      ),
    }),
  ];
}

const projectIcons: Readonly<Record<string, string>> = {
  running: 'play-circle',
  waiting: 'watch',
  failed: 'error',
  stopped: 'circle-slash',
};

function projectNodes(facts: ProvidersFacts, status: Status): ProvidersNode[] {
  const { projectProviders } = status;
  const count = projectProviders.length;
  if (count === 0) return [];
  return [
    node({
      id: 'projectProviders',
      label: l10n.t('Project providers'),
      description: l10n.plural(count, l10n.t`${l10n.countText(count)} program`, l10n.t`${l10n.countText(count)} programs`),
      icon: { id: 'folder-library' },
      isOpen: true,
      children: projectProviders.map(({ sessionId, name, state, pid, error, retryInMs }) => {
        const words = {
          running: pid === undefined ? l10n.t('running') : l10n.t`running as process ${pid}`,
          waiting: retryInMs === undefined ? l10n.t('ended, starts again') : l10n.t`ended, starts again after ${roughDuration(retryInMs)}`,
          failed: l10n.t('failed, and is not started again'),
          stopped: l10n.t('stopped'),
        }[state];
        return node({
          id: `project ${sessionId} ${name}`,
          label: name,
          description: [words, ...(error === undefined ? [] : [error]), sessionTitle(facts, status, sessionId)].join(' · '),
          tooltip: plainLines(
            [
              `${name}: ${words}`,
              ...(error === undefined ? [] : [error, l10n.t('Look at its log. Correct the program, or its entry in tap.config.json.')]),
            ].join('\n'),
            OUTPUT_LENGTH,
          ),
          icon: { id: projectIcons[state] ?? 'question', ...(state === 'failed' && { color: 'list.errorForeground' }) },
          context: 'projectProvider',
          action: 'showProjectProviderLog',
          subject: { kind: 'projectProvider', sessionId, name },
        });
      }),
    }),
  ];
}
