/** The dialects by name. */
import { channelDialect } from './channels/channelDialect.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { v1Dialect } from './v1/v1Dialect.ts';

export const dialects: Readonly<Record<DialectName, Dialect>> = { v1: v1Dialect, channels: channelDialect };
