import assert from 'node:assert/strict';
import { shownAddress } from './shownAddress.ts';

describe('an address that is shown', () => {
  for (const [address, expected] of [
    ['http://127.0.0.1:4000/0.1/Xy_3-Kd93kfJ2lSd93kfLs0e/notes', 'http://127.0.0.1:4000/0.1/…/notes'],
    ['https://me:secret@context.example/notes?token=secret', 'https://context.example/notes?…'],
    ['https://context.example/a-provider', 'https://context.example/a-provider'],
    ['file:///home/me/Xy_3-Kd93kfJ2lSd93kfLs0e/notes.mjs', 'file:///home/me/Xy_3-Kd93kfJ2lSd93kfLs0e/notes.mjs'],
    ['http://[', 'http://['],
    ['./provider.mjs', './provider.mjs'],
  ] as const)
    it(`is ${expected}`, () => assert.equal(shownAddress(address), expected));
});
