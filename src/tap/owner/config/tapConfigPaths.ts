import { join } from 'node:path';

/** Where a folder names its providers. The first one that is there counts. */
export const tapConfigPaths = ['tap.config.json', join('.github', 'tap.config.json')] as const;
