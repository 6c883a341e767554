/** The JSON schema of an entry, for editors. The build writes it from the schema that reads the file. */
import * as z from 'zod';
import { entry } from './entry.ts';

export function entryJsonSchema(): object {
  const title = 'Tasks and jobs of the portal';
  return { ...z.toJSONSchema(entry, { io: 'input', target: 'draft-7' }), title };
}
