import assert from 'node:assert/strict';
import { channelVersionOf } from './channelVersion.ts';

describe('the version, after AHP v1, that is spoken with a client', () => {
  const cases: [offered: unknown[], spoken: string, speaks11?: boolean][] = [
    [['1.0.0', '0.10.0', '0.9.0'], '1.0.0'],
    [['0.9.0', '1.0.0'], '1.0.0'],
    [['1.0.0', '1.0.3'], '1.0.3'],
    [['1.1.0', '1.0.0'], '1.0.0'],
    [['1.1.0'], ''],
    [['1.1.0', '1.0.0'], '1.1.0', true],
    [['1.1.0', '1.1.2', '1.2.0', '2.0.0'], '1.1.2', true],
    [['1.0.0'], '1.0.0', true],
    [['1.2.0'], '', true],
    [['0.9.0', '0.9.3'], '0.9.3'],
    [['0.10.0'], '0.10.0'],
    [['0.9.0', '7.0.0'], '0.9.0'],
    [['0.8.0', '0.11.0', '2.0.0'], ''],
    [[], ''],
    // One that is malformed fails the whole offer.
    [['1.0.0', '01.0.0'], ''],
    [['1.0.0', '1.1.0-dev'], ''],
    [['1.0.0', '1.0.0+build'], ''],
    [['1.0.0', 1], ''],
  ];
  for (const [protocolVersions, spoken, speaks11 = false] of cases)
    it(`is ${spoken || 'none'} of ${JSON.stringify(protocolVersions)}${speaks11 ? ' where 1.1 is spoken' : ''}`, () => {
      assert.equal(channelVersionOf({ protocolVersions }, speaks11), spoken);
    });

  it('counts before AHP v1 where a client offers both', () => {
    const both = (protocolVersions: unknown[], speaks11 = false) => channelVersionOf({ protocolVersion: 1, protocolVersions }, speaks11);
    assert.equal(both(['1.1.0', '1.0.0']), '1.0.0');
    assert.equal(both(['1.1.0', '1.0.0'], true), '1.1.0');
    assert.deepEqual([both(['2.0.0']), both(['none']), both([])], [undefined, undefined, undefined]);
    assert.equal(channelVersionOf({ protocolVersion: 1, clientId: 'a' }), undefined);
  });
});
