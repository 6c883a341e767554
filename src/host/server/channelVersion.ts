/** Which version of the protocol, after AHP v1, is spoken with a client. */
import { isRecord } from '../../base/isRecord.ts';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

type Numbers = readonly [major: number, minor: number, patch: number];

/**
 * 1.0.0 and 0.9.0 with their corrections, and 0.10.0, which is another name for 1.0.0. 1.1 writes `reconnect` in another way, and may still
 * change.
 */
function isSpoken([major, minor]: Numbers, speaks11: boolean): boolean {
  return (major === 1 && minor <= (speaks11 ? 1 : 0)) || (major === 0 && (minor === 9 || minor === 10));
}

/**
 * The highest version of the client that this host speaks, as the client wrote it. Empty where there is none, or an entry is no version.
 * Undefined for a client that speaks AHP v1 and none of these. `speaks11`: 1.1 is spoken too.
 */
export function channelVersionOf(params: unknown, speaks11 = false): string | undefined {
  if (!isRecord(params) || !Array.isArray(params['protocolVersions'])) return undefined;
  const none = params['protocolVersion'] === undefined ? '' : undefined;
  const offered = (params['protocolVersions'] as readonly unknown[]).map(numbersOf);
  if (offered.includes(undefined)) return none;
  const spoken = (offered as Numbers[])
    .filter((version) => isSpoken(version, speaks11))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return spoken.at(-1)?.join('.') ?? none;
}

function numbersOf(version: unknown): Numbers | undefined {
  const parts = typeof version === 'string' ? VERSION.exec(version) : null;
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}
