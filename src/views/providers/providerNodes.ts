/** The providers at the gateway: who they are, what they offer, and what the user has decided about them. */
import * as l10n from '../../base/l10n.ts';
import type { OfferedTool, OwnerResults } from '../../tap/wire/owner/ownerMessages.ts';
import { oneLine } from '../text/oneLine.ts';
import { earlierTokenNodes } from './earlierTokenNodes.ts';
import { type ProvidersFacts, sessionTitle, type ToolState } from './facts.ts';
import { node, type ProvidersNode, type Subject, WARNING } from './node.ts';
import { originWords } from '../pairing/originWords.ts';
import { trustWords } from '../pairing/trustWords.ts';
import { servesWords } from './served.ts';
import { plainLines, toolStateWords } from './words.ts';

type Status = OwnerResults['diagnostics'];
type Provider = Status['providers'][number];
type Pairing = Status['pairings'][number];
interface Tool {
  tool: OfferedTool;
  state: ToolState;
}

const TOOLTIP_LENGTH = 1_500;
// eslint-disable-next-line texts/translated -- as the manifest has it
const PAIRED = 'provider paired';
const trustIcons: Readonly<Record<OfferedTool['trust'], string>> = { internal: 'tools', project: 'terminal', external: 'globe' };

export function providerNodes(facts: ProvidersFacts, status: Status): ProvidersNode[] {
  const groups = providerGroups(status);
  const away = status.pairings.filter(({ connected }) => !connected);
  const isAlone = groups.every(({ trust }) => trust === 'internal') && away.length === 0;
  return [
    ...earlierTokenNodes(status),
    ...groups.map((group) => providerNode(facts, status, group)),
    ...away.map(({ id, name, origin }) =>
      node({
        id: `pairing ${id}`,
        label: pairingName({ name, origin }),
        description: [trustWords({ trust: 'external', ...(origin !== undefined && { origin }) }), l10n.t('not connected')].join(' · '),
        tooltip: l10n.t('You have paired it. It may connect again without a code until its session ends, or until you revoke the pairing.'),
        icon: { id: 'debug-disconnect' },
        context: PAIRED,
        subject: pairedSubject({ id, name, origin }),
      }),
    ),
    ...(isAlone
      ? [
          node({
            id: 'noProviders',
            label: l10n.t('No program lends its tools'),
            description: l10n.t('Copy a ready-made provider…'),
            tooltip: l10n.t(
              'A provider is a program or a page that lends its tools to your agent sessions. Copy one that is ready to run.',
            ),
            icon: { id: 'info' },
            action: 'copyProvider',
          }),
        ]
      : []),
  ];
}

/** For a label: its name, or who it is as far as the gateway knows. */
export function pairingName({ name, origin }: Pick<Pairing, 'name' | 'origin'>): string {
  return name ?? (origin === undefined ? l10n.t('A paired program') : originWords(origin));
}

/** For a row of one pairing. */
export function pairedSubject({ id, name, origin }: Pick<Pairing, 'id' | 'name' | 'origin'>): Extract<Subject, { kind: 'provider' }> {
  const page = origin === undefined ? {} : { origin };
  return { kind: 'provider', provider: pairingName({ name, origin }), trust: 'external', ...page, pairings: [id] };
}

/** Instances of one provider. A group has one level of trust and one origin. */
export interface ProviderGroup {
  readonly name: string;
  readonly trust: OfferedTool['trust'];
  /** Of a paired page. */
  readonly origin?: string;
  /** Ids of its pairings at the gateway. */
  readonly pairings: readonly string[];
  readonly instances: readonly [Provider, ...Provider[]];
}

/** The gateway's own provider comes last. */
export function providerGroups({ providers, pairings: all }: Status): ProviderGroup[] {
  const originOf = ({ pairing }: Provider) => (pairing === undefined ? undefined : all.find(({ id }) => id === pairing)?.origin);
  const groups = new Map<string, [Provider, ...Provider[]]>();
  for (const provider of providers) {
    const key = JSON.stringify([provider.trust, provider.name, originOf(provider)]);
    const group = groups.get(key);
    if (group) group.push(provider);
    else groups.set(key, [provider]);
  }
  return [...groups.values()]
    .map((instances) => {
      const [{ name }] = instances;
      const trust = instances[0].trust as OfferedTool['trust'];
      const pairings = [...new Set(instances.flatMap(({ pairing }) => pairing ?? []))];
      const origin = originOf(instances[0]);
      return { name, trust, ...(origin !== undefined && { origin }), pairings, instances };
    })
    .sort((a, b) => Number(a.trust === 'internal') - Number(b.trust === 'internal'));
}

/** Tools that are off until the user has looked at them. None of a provider that is off. */
export function toolsToReview(facts: ProvidersFacts, group: ProviderGroup): number {
  const whose = whoseOf(group);
  if (!facts.isProviderOn(whose)) return 0;
  return toolsOf(facts, whose).filter(({ state }) => state === 'new' || state === 'changed').length;
}

function whoseOf({ name, trust, origin }: ProviderGroup): Pick<OfferedTool, 'provider' | 'trust' | 'origin'> {
  return { provider: name, trust, ...(origin !== undefined && { origin }) };
}

function providerNode(facts: ProvidersFacts, status: Status, group: ProviderGroup): ProvidersNode {
  const { name, trust, origin, pairings, instances } = group;
  const whose = whoseOf(group);
  const id = `provider ${JSON.stringify([trust, name, origin])}`;
  const isOn = facts.isProviderOn(whose);
  const tools = toolsOf(facts, whose);
  const elsewhere = tools.length === 0 && instances.some((provider) => provider.tools.length > 0);
  const waiting = toolsToReview(facts, group);
  const description = [
    trustWords(group),
    ...(isOn ? [] : [l10n.t('off')]),
    ...(waiting > 0
      ? [l10n.plural(waiting, l10n.t`${l10n.countText(waiting)} tool to review`, l10n.t`${l10n.countText(waiting)} tools to review`)]
      : []),
    ...(trust === 'internal' ? [] : [servesWords(instances, (sessionId) => sessionTitle(facts, status, sessionId))]),
    ...(elsewhere ? [l10n.t('lends to no session of this window')] : []),
  ].join(' · ');
  return node({
    id,
    label: name,
    description,
    tooltip: [name, description, ...instances.map(instanceLine)].map((line) => plainLines(line, TOOLTIP_LENGTH)).join('\n'),
    icon: { id: trustIcons[trust] ?? 'plug', ...(waiting > 0 && { color: WARNING.color }) },
    checkbox: { isOn, says: isOn ? l10n.t`Switch all tools of ${oneLine(name)} off` : l10n.t`Switch the tools of ${oneLine(name)} on` },
    context: pairings.length > 0 ? PAIRED : 'provider',
    subject: { kind: 'provider', ...whose, pairings },
    children: [
      ...consentNodes(status, instances),
      ...(instances.length > 1 || instances[0].instance !== undefined ? instances.map((provider) => instanceNode(id, provider)) : []),
      ...tools.map((tool, at) => toolNode(`${id} ${tool.tool.name} ${at}`, tool, isOn)),
    ],
    isOpen: trust !== 'internal',
  });
}

const instanceLine = ({ id, instance, pendingCalls }: Provider): string => `${instance ?? id}: ${runningCalls(pendingCalls)}`;

function runningCalls(count: number): string {
  return l10n.plural(count, l10n.t`${l10n.countText(count)} running call`, l10n.t`${l10n.countText(count)} running calls`);
}

function instanceNode(id: string, { id: providerId, instance, pendingCalls, metadata }: Provider): ProvidersNode {
  const title = typeof metadata?.title === 'string' ? metadata.title : undefined;
  return node({
    id: `${id} instance ${providerId}`,
    label: instance ?? providerId,
    description: [l10n.t('instance'), ...(title === undefined ? [] : [title]), runningCalls(pendingCalls)].join(' · '),
    tooltip: metadata ? plainLines(JSON.stringify(metadata, undefined, 2), TOOLTIP_LENGTH) : l10n.t('An instance of this provider'),
    icon: { id: 'window' },
  });
}

/** The tools that the sessions of this window are offered, each once. Sessions may be offered different ones of the same name. */
function toolsOf({ sessions }: ProvidersFacts, { provider, trust, origin }: Pick<OfferedTool, 'provider' | 'trust' | 'origin'>): Tool[] {
  const tools = new Map<string, Tool>();
  for (const { tool, state } of sessions.flatMap((session) => session.tools)) {
    if (tool.provider !== provider || tool.trust !== trust || tool.origin !== origin) continue;
    const key = JSON.stringify([tool.name, tool.description, tool.parameters]);
    if (!tools.has(key)) tools.set(key, { tool, state });
  }
  return [...tools.values()];
}

function toolNode(id: string, { tool, state }: Tool, isProviderOn: boolean): ProvidersNode {
  const isSwitchedOn = state === 'on' || state === 'taken' || state === 'tooLarge';
  const words = isProviderOn ? toolStateWords[state] : l10n.t('off with its provider');
  return node({
    id,
    label: tool.name,
    description: [...(isProviderOn && state === 'on' ? [] : [words]), ...(tool.description ? [tool.description] : [])].join(' · '),
    tooltip: toolText(tool, words, TOOLTIP_LENGTH),
    icon: isProviderOn && state !== 'on' && state !== 'off' ? WARNING : { id: 'symbol-method' },
    ...(isProviderOn && {
      checkbox: {
        isOn: isSwitchedOn,
        says: isSwitchedOn ? l10n.t`Switch ${tool.name} off` : l10n.t`Let the sessions of this window use ${tool.name}`,
      },
    }),
    context: 'tool',
    action: 'showTool',
    subject: { kind: 'tool', tool },
  });
}

/** All that the gateway knows about a tool, as text. `limit`: characters of the description and of the schema, each. */
export function toolText(tool: OfferedTool, state: string, limit: number): string {
  const { name, provider, description, parameters, timeoutMs } = tool;
  return [
    `${name}: ${state}`,
    l10n.t`Provider: ${plainLines(provider, limit)} (${trustWords(tool)})`,
    l10n.t`Has ${l10n.countText(timeoutMs / 1000)} s for each call`,
    '',
    description === '' ? l10n.t('(no description)') : plainLines(description, limit),
    '',
    l10n.t('Input schema:'),
    plainLines(JSON.stringify(parameters, undefined, 2), limit),
  ].join('\n');
}

const wantNames: Readonly<Record<string, string>> = {
  hooks: l10n.t('hooks'),
  transforms: l10n.t('transforms'),
  context: l10n.t('context'),
};

/** One that this version does not know is named as the program has it. */
function wantText(want: string): string {
  return (Object.hasOwn(wantNames, want) ? wantNames[want] : undefined) ?? oneLine(want);
}

function consentNodes({ consents }: Status, instances: readonly Provider[]): ProvidersNode[] {
  // The gateway asks only about programs that hold the token of its file.
  if (!instances.some(({ needsConsent }) => needsConsent)) return [];
  return consents
    .filter(({ provider }) => provider === instances[0]?.name)
    .map(({ provider, decision, wants }) =>
      node({
        id: `consent ${provider}`,
        label: wants.length > 0 ? l10n.listText(wants.map(wantText)) : l10n.t('hooks and context'),
        description: { asked: l10n.t('waits for your consent'), allowed: l10n.t('allowed by you'), denied: l10n.t('denied by you') }[
          decision
        ],
        tooltip: l10n.t(
          'With hooks a provider sees tool calls and may deny them. With context it adds to what models read. Your decision holds for every session on this computer.',
        ),
        icon: decision === 'asked' ? WARNING : { id: decision === 'allowed' ? 'pass' : 'circle-slash' },
        context: `consent ${decision}`,
        action: 'answerConsent',
        subject: { kind: 'consent', provider },
      }),
    );
}
