import assert from 'node:assert/strict';
import { pairingChoices, pairingItem, remainingText, type PendingPairing } from './pairingView.ts';

const pairing = (fields: Partial<PendingPairing> = {}): PendingPairing => ({
  id: 'a',
  code: '012345',
  origin: 'https://page.example',
  expiresAt: 120_000,
  ...fields,
});

describe('The status bar item of a pairing code', () => {
  it('shows code, origin and the time that is left', () => {
    assert.equal(pairingItem([], 0), undefined);
    assert.equal(pairingItem([pairing()], 0)?.text, '012345 · https://page.example · 2:00');
    assert.equal(pairingItem([pairing()], 60_500)?.text, '012345 · https://page.example · 1:00');
    const { origin: _, ...program } = pairing();
    assert.equal(pairingItem([program], 119_999)?.text, '012345 · program on this computer · 0:01');
  });

  it('says the same to a screen reader all the time', () => {
    const labels = [0, 1_000, 90_000].map((now) => pairingItem([pairing()], now)?.label);
    assert.deepEqual([...new Set(labels)], ['Pairing code 0 1 2 3 4 5 for the page https://page.example. Activate to copy or deny it.']);
  });

  it('leaves several codes to the list, so that none is taken for another page’s', () => {
    const two = [pairing(), pairing({ id: 'b', code: '999999', origin: 'https://other.example' })];
    const item = pairingItem(two, 0);
    assert.equal(item?.text, '2 pairing codes');
    assert.match(item?.tooltip ?? '', /012345: the page https:\/\/page\.example\n999999: the page https:\/\/other\.example/);
    assert.deepEqual(
      pairingChoices(two).map(({ id, do: what, label, description }) => [id, what, label, description]),
      [
        ['a', 'copy', 'Copy Code 012345', 'for the page https://page.example'],
        ['a', 'deny', 'Deny', 'for the page https://page.example'],
        ['b', 'copy', 'Copy Code 999999', 'for the page https://other.example'],
        ['b', 'deny', 'Deny', 'for the page https://other.example'],
      ],
    );
  });

  it('counts down in minutes and seconds', () => {
    assert.deepEqual([120_000, 119_999, 61_000, 60_000, 59_001, 1, 0, -5_000].map(remainingText), [
      '2:00',
      '2:00',
      '1:01',
      '1:00',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
    ]);
  });
});
