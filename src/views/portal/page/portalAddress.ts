/** What the portal's page shows, as the part of its address after `#`: a reload shows the same, and so does the address when it is sent to somebody. */
import { hostIdOf, OWN_HOST_ID, readSessionQuery } from '../wire/pageWire.ts';
import type { SessionRef } from '../../session/sessionRef.ts';

export interface SessionPlace {
  kind: 'session';
  /** Its `uri` may be the id of a session alone, as people write it. */
  session: SessionRef;
  /** At the first thing that waits in it. */
  atCard?: boolean;
}

export type PortalView =
  /** What is best shown first. */
  | { kind: 'home' }
  /** `item`: the id of what is shown beside the list. `all`: all of them with their cards. */
  | { kind: 'needsYou'; item?: string; all?: boolean }
  | { kind: 'runs' }
  /** `step`: its place in the list of steps, from 1. */
  | { kind: 'run'; jobId: string; step?: number }
  | { kind: 'sessions'; isNew?: boolean }
  | SessionPlace
  | { kind: 'jobs'; jobName?: string }
  | { kind: 'watched' };

/** The parts of the page that its navigation leads to. */
export type PortalArea = 'needsYou' | 'runs' | 'sessions' | 'jobs' | 'watched';

export function areaOf(view: Exclude<PortalView, { kind: 'home' }>): PortalArea {
  return view.kind === 'run' ? 'runs' : view.kind === 'session' ? 'sessions' : view.kind;
}

/** Something is shown beside the list, or in its place where there is no room for both. */
export function hasDetail(view: PortalView): boolean {
  switch (view.kind) {
    case 'needsYou':
      return view.item !== undefined || view.all === true;
    case 'sessions':
      return view.isNew === true;
    case 'jobs':
      return view.jobName !== undefined;
    default:
      return view.kind === 'run' || view.kind === 'session';
  }
}

export function viewHref(view: PortalView): string {
  switch (view.kind) {
    case 'home':
      return '#';
    case 'needsYou':
      return `#/needs-you${view.all ? '/all' : view.item === undefined ? '' : `/item/${encodeURIComponent(view.item)}`}`;
    case 'runs':
      return '#/runs';
    case 'run':
      return `#/run/${encodeURIComponent(view.jobId)}${view.step === undefined ? '' : `/step/${view.step}`}`;
    case 'sessions':
      return view.isNew ? '#/sessions/new' : '#/sessions';
    case 'session': {
      const { hostId, uri } = view.session;
      const query = new URLSearchParams({ ...(hostId !== OWN_HOST_ID && { host: hostId }), ...(view.atCard && { card: '1' }) }).toString();
      // A colon and slashes are legal there, and an address is read by people.
      return `#/session/${encodeURIComponent(uri).replace(/%3A/g, ':').replace(/%2F/g, '/')}${query && `?${query}`}`;
    }
    case 'watched':
      return '#/watched';
    case 'jobs':
      return `#/jobs${view.jobName === undefined ? '' : `/${encodeURIComponent(view.jobName)}`}`;
  }
}

/** `home` for what is no address of the page. Those of earlier versions still lead to what they led to. */
export function viewOf(hash: string): PortalView {
  if (!hash.startsWith('#/')) return earlierView(hash);
  const [path = '', query = ''] = hash.slice(2).split('?', 2);
  const [area, ...rest] = path.split('/').map(decoded);
  const [first = ''] = rest;
  switch (area) {
    case 'needs-you':
      if (first === 'item' && rest[1]) return { kind: 'needsYou', item: rest[1] };
      return { kind: 'needsYou', ...(first === 'all' && { all: true }) };
    case 'runs':
      return { kind: 'runs' };
    case 'run':
      if (first === '') return { kind: 'runs' };
      return { kind: 'run', jobId: first, ...(rest[1] === 'step' && /^[1-9]\d{0,8}$/.test(rest[2] ?? '') && { step: Number(rest[2]) }) };
    case 'sessions':
      return { kind: 'sessions', ...(first === 'new' && { isNew: true }) };
    case 'session': {
      const given = new URLSearchParams(query);
      const session = { hostId: given.get('host') ?? OWN_HOST_ID, uri: rest.join('/') };
      return session.uri === '' ? { kind: 'sessions' } : { kind: 'session', session, ...(given.has('card') && { atCard: true }) };
    }
    case 'watched':
      return { kind: 'watched' };
    case 'jobs':
      return { kind: 'jobs', ...(first !== '' && { jobName: first }) };
    default:
      return { kind: 'home' };
  }
}

/** A session that is named by its id alone is one of the portal's own agent. */
export function withWholeUri({ hostId, uri }: SessionRef, agent: string): SessionRef {
  return { hostId, uri: uri.includes(':') ? uri : `${agent}:/${uri}` };
}

/** As the portal names its sessions, whether it still knows them or not. `host`: where it is not its own. */
export function portalSession(sessionId: string, agent: string, host?: string): SessionRef {
  return { hostId: hostIdOf(host), uri: `${agent}:/${sessionId}` };
}

function earlierView(hash: string): PortalView {
  if (hash === '#needs-you') return { kind: 'needsYou', all: true };
  const query = new URLSearchParams(hash.slice(1));
  const session = readSessionQuery(query);
  return session ? { kind: 'session', session, ...(query.has('card') && { atCard: true }) } : { kind: 'home' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part; // Written by hand.
    throw error;
  }
}
