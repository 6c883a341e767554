import * as l10n from '../../base/l10n.ts';
import type { GatewayHealth, ProvidersFacts } from './facts.ts';
import { node, type ProvidersNode, WARNING } from './node.ts';
import { adviceFor, plainLines } from './words.ts';

const SHOWN_ERRORS = 10;
const ERROR_LENGTH = 1_000;
/** The time of an answer is rounded up to this, so that the row is not drawn again with each answer. */
const STEP_MS = 10;

export function gatewayNode({ gateway, url }: ProvidersFacts): ProvidersNode {
  // eslint-disable-next-line texts/translated -- as the manifest has it
  const row = { id: 'gateway', label: l10n.t('Gateway'), context: gateway.kind === 'off' ? 'gateway off' : 'gateway on' };
  switch (gateway.kind) {
    case 'off':
      return node({ ...row, description: l10n.t('off'), icon: { id: 'circle-slash' } });
    case 'connecting':
      return node({ ...row, description: l10n.t('connecting'), icon: { id: 'sync' } });
    case 'down':
      return node({
        ...row,
        description: l10n.t`cannot be reached: ${gateway.error}`,
        tooltip: [
          plainLines(gateway.error, ERROR_LENGTH),
          l10n.t('Tapline tries again by itself. You can restart the gateway, or look at its log.'),
        ].join('\n'),
        icon: WARNING,
      });
    case 'up':
      return runningNode(row, gateway, url);
  }
}

function runningNode(
  row: Pick<ProvidersNode, 'id' | 'label' | 'context'>,
  { roundTripMs, status }: Extract<GatewayHealth, { kind: 'up' }>,
  url: string | undefined,
): ProvidersNode {
  const { version, pid, sessions, connections, queuedCalls } = status;
  const answers = l10n.t`answers within ${l10n.countText(Math.max(1, Math.ceil(roundTripMs / STEP_MS)) * STEP_MS)} ms`;
  const details = [
    l10n.commaText([l10n.t`Version ${version}`, l10n.t`process ${pid}`, answers]),
    ...(url === undefined ? [] : [url]),
    l10n.commaText([
      l10n.plural(
        sessions.length,
        l10n.t`${l10n.countText(sessions.length)} session of all windows`,
        l10n.t`${l10n.countText(sessions.length)} sessions of all windows`,
      ),
      l10n.plural(connections, l10n.t`${l10n.countText(connections)} connection`, l10n.t`${l10n.countText(connections)} connections`),
      l10n.plural(queuedCalls, l10n.t`${l10n.countText(queuedCalls)} waiting call`, l10n.t`${l10n.countText(queuedCalls)} waiting calls`),
    ]),
  ];
  return node({
    ...row,
    description: [l10n.t('running'), ...(url === undefined ? [] : [url]), answers].join(' · '),
    tooltip: details.join('\n'),
    icon: { id: 'pulse' },
  });
}

/** What went wrong at the gateway lately, the newest first. */
export function errorNodes({ gateway }: ProvidersFacts): ProvidersNode[] {
  const errors = gateway.kind === 'up' ? gateway.status.lastErrors : [];
  return errors.length === 0 ? [] : [errorsNode(errors)];
}

function errorsNode(errors: Extract<GatewayHealth, { kind: 'up' }>['status']['lastErrors']): ProvidersNode {
  const newest = errors.slice(-SHOWN_ERRORS).reverse();
  return node({
    id: 'errors',
    label: l10n.t('Last errors'),
    description: `${newest[0]?.provider ?? ''} ${newest[0]?.code ?? ''}`.trim(),
    icon: WARNING,
    children: newest.map(({ ts, code, message, provider }, at) =>
      node({
        id: `error ${ts} ${at}`,
        label: provider === undefined ? message : `${provider}: ${message}`,
        description: `${code} · ${adviceFor(code)}`,
        tooltip: [
          ts,
          `${provider === undefined ? code : l10n.t({ message: '{0} of {1}', comment: 'an error of a provider', args: [code, provider] })}: ${plainLines(message, ERROR_LENGTH)}`,
          adviceFor(code),
        ].join('\n'),
        icon: WARNING,
      }),
    ),
  });
}
