/** Whether the gateway makes traces, and where they go beside its records. */
import { phrase, type Words } from '../../../base/text/phrase.ts';

export interface TracesConfig {
  /** Also without any other place than the records. */
  enabled: boolean;
  /** OTLP over HTTP. */
  endpoint?: string | undefined;
  /** Lines of OTLP JSON are added to it. */
  file?: string | undefined;
  /** Prompts, arguments and results are in spans as well. */
  content: boolean;
}

const MAX_LENGTH = 4096;
/** The path of OTLP over HTTP, where an endpoint names none. */
const OTLP_PATH = '/v1/traces';

/** What is wrong with it, as a sentence for the user; undefined: nothing. */
export function endpointProblem(endpoint: string): Words | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return phrase`It must begin with http:// or https://.`;
  if (url.username || url.password) return phrase`It must not hold a name or password: headers come from OTEL_EXPORTER_OTLP_HEADERS.`;
  if (url.hash) return phrase`It must not hold a #.`;
  return endpoint.length > MAX_LENGTH ? phrase`It is too long.` : undefined;
}

/** What the user is shown of it: a key may be in its query. */
export function shownEndpoint(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname}`;
}

/** The address that spans are sent to. */
export function spansUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = OTLP_PATH;
  return url.href;
}

/** What is wrong with it, as a sentence for the user; undefined: nothing. */
export function fileProblem(path: string): Words | undefined {
  if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path) && !path.startsWith('\\\\')) return phrase`It must be an absolute path.`;
  return path.length > MAX_LENGTH ? phrase`It is too long.` : undefined;
}

export function isTracing({ enabled, endpoint, file }: TracesConfig): boolean {
  return enabled || endpoint !== undefined || file !== undefined;
}

export interface TracesStatus {
  isOn: boolean;
  content: boolean;
  /** Where spans go. `name`: `records`, the endpoint without its query, or the file. */
  destinations: {
    name: string;
    sent: number;
    /** Not sent yet. */
    waiting: number;
    /** Never sent: too many came at once, or it could not be reached. */
    dropped: number;
    /** Of now, or of the last time that something went wrong. */
    problem?: string;
  }[];
  /** Why there are none, although they are wanted. */
  problem?: string;
}
