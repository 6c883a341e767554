/** The JSON schema of `tap.config.json`, for editors. The build writes it from the schema that reads the file. */
import * as z from 'zod';
import { tapConfig } from './tapConfigShape.ts';

export function tapConfigSchema(): object {
  const title = 'Providers and emitters of a folder for agent sessions (tap.config.json)';
  return { ...z.toJSONSchema(tapConfig, { io: 'input', target: 'draft-7' }), title, allowComments: true, allowTrailingCommas: true };
}
