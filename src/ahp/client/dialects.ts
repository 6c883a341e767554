/** The dialects by name. */
import { channelDialect } from '../channels/dialect/channelDialect.ts';
import type { Dialect, DialectName } from '../dialect.ts';
import { v1Dialect } from '../v1/dialect/v1Dialect.ts';

export const dialects: Readonly<Record<DialectName, Dialect>> = { v1: v1Dialect, channels: channelDialect };
