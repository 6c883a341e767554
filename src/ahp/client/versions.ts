/** The dialect of a version, and which side is to be updated when a host speaks none that this client offers. */
import { isRecord } from '../../base/isRecord.ts';
import { phrase } from '../../base/text/phrase.ts';
import { PROTOCOL_VERSIONS, VERSION_11 } from '../channels/commands.ts';
import { channelDialect, channelDialect09, channelDialect11 } from '../dialects/channels/channelDialect.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { PROTOCOL_VERSION } from '../v1/commands.ts';
import { v1Dialect } from '../dialects/v1/v1Dialect.ts';
import { type ConnectionFailure, connectionFailure } from './connection/connectionState.ts';

/** The newest version of each dialect. AHP v1 came before those with dots. */
const newest: Readonly<Record<DialectName, readonly number[]>> = { v1: [0, 0, 1], channels: [1, 0, 0] };

/** The versions that a host names in the error by which it refuses. */
export function supportedVersions(data: unknown): string[] {
  const versions = isRecord(data) ? data['supportedVersions'] : undefined;
  return Array.isArray(versions) ? versions.map(String) : [];
}

/** `said`: the message of a host that names no version that it accepts. */
export function otherVersion(name: string, offered: readonly DialectName[], versions: string[], said?: string): ConnectionFailure {
  const ours = offered.includes('channels') ? newest.channels : newest.v1;
  const newer = versions.filter((version) => isAfter(numbersOf(version), ours));
  if (newer.length > 0) {
    const known = shown(newer);
    const message =
      known === ''
        ? phrase`${name} speaks a newer version of the protocol than this Tapline. Update Tapline.`
        : phrase`${name} speaks a newer version of the protocol (${known}) than this Tapline. Update Tapline.`;
    return connectionFailure('version', message, phrase`newer than Tapline`, { outdated: 'client' });
  }
  if (versions.length > 0) {
    const known = shown(versions);
    const message =
      known === ''
        ? phrase`${name} speaks an older version of the protocol than this Tapline. Update the agent host.`
        : phrase`${name} speaks an older version of the protocol (${known}) than this Tapline. Update the agent host.`;
    return connectionFailure('version', message, phrase`older than Tapline`, { outdated: 'host' });
  }
  const message = phrase`${name} speaks no version of the protocol that this Tapline knows ("${said ?? ''}"). Update whichever of the two is older.`;
  return connectionFailure('version', message, phrase`another version`);
}

/** Of a version or a range of them, such as `^0.10.0`. Whole numbers are the versions before those with dots. */
function numbersOf(version: string): number[] {
  const numbers = (version.match(/\d+(\.\d+)*/)?.[0] ?? '').split('.').map(Number);
  return numbers.length > 1 ? numbers : [0, 0, ...numbers];
}

function isAfter(version: readonly number[], other: readonly number[]): boolean {
  for (const [index, number] of other.entries()) {
    const part = version[index] ?? 0;
    if (part !== number) return part > number;
  }
  return false;
}

/** Version numbers without the signs of ranges and without a last zero: `^0.9.0` becomes 0.9. */
function shown(versions: string[]): string {
  const numbers = versions.flatMap((version) => version.match(/\d+(\.\d+)*/)?.[0].replace(/^(\d+\.\d+)\.0$/, '$1') ?? []);
  return [...new Set(numbers)].slice(0, 5).join(', ');
}

/** Hosts of AHP v1 may leave the version out. Undefined for one that this client does not speak. */
export function dialectOf(version: unknown): Dialect | undefined {
  if (version === undefined || String(version) === String(PROTOCOL_VERSION)) return v1Dialect;
  if (version === '0.9.0') return channelDialect09;
  if (version === VERSION_11) return channelDialect11;
  return (PROTOCOL_VERSIONS as readonly unknown[]).includes(version) ? channelDialect : undefined;
}
