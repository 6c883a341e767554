import assert from 'node:assert/strict';
import { validateEntry } from '../../../portal/entry/validateEntry.ts';
import { entryTemplates } from './entryTemplates.ts';

describe('the templates of an entry', () => {
  for (const { label, entry } of entryTemplates('/work'))
    it(`have no fault: ${label}`, () => assert.doesNotThrow(() => validateEntry(entry)));
});
