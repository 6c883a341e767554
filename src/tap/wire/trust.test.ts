import assert from 'node:assert/strict';
import { trustText } from './trust.ts';

describe('The trust of a provider', () => {
  it('is named, with the origin of a page', () => {
    assert.deepEqual(
      [
        trustText({ trust: 'internal' }),
        trustText({ trust: 'project' }),
        trustText({ trust: 'project', spawned: true }),
        trustText({ trust: 'external', origin: 'https://page.example' }),
        trustText({ trust: 'external', origin: 'null' }),
        trustText({ trust: 'external' }),
      ],
      [
        'internal, part of Tapline',
        'program on this computer',
        'program started by a session',
        'paired, https://page.example',
        'paired, a page without an address',
        'paired program',
      ],
    );
  });
});
