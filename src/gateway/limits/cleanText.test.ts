import assert from 'node:assert/strict';
import { FakeGateway, hello, tool } from '../../../test/fakes/fakeGateway.ts';
import { cleanRecord, cleanText, fittedRecord } from './cleanText.ts';

describe('text of providers', () => {
  it('loses control characters and bidirectional controls, and keeps new lines', () => {
    assert.equal(cleanText('a\u0000b\u001b[31mc\u202ed\u2066e\r\nf\tg', 100), 'ab[31mcde\nf\tg');
  });

  it('is cut where it is too long', () => {
    assert.equal(cleanText('x'.repeat(10), 10), 'x'.repeat(10));
    assert.equal(cleanText('x'.repeat(11), 10), `${'x'.repeat(9)}…`);
  });

  it('in records is cleaned at any depth, and replaced by a note when it is too long', () => {
    assert.deepEqual(cleanRecord({ a: [{ b: '\u0007x' }], n: 1 }, 100), { a: [{ b: 'x' }], n: 1 });
    assert.deepEqual(cleanRecord({ a: Array.from({ length: 500 }, () => 'xx') }, 100), { omitted: 'the metadata is too long' });
  });

  it('in records that must not be lost is cut until it fits', () => {
    const value = { verdict: 'contradicted', text: '\u0007x'.repeat(500), checks: Array.from({ length: 20 }, () => 'y'.repeat(900)) };
    const { verdict, text, checks } = fittedRecord(value, 1_000, 2_000) as typeof value;
    assert.equal(verdict, 'contradicted');
    assert.match(text, /^x{20,}…?$/);
    assert.equal(checks.length, 20);
    assert.ok(JSON.stringify({ verdict, text, checks }).length <= 2_000);
    assert.deepEqual(fittedRecord({ a: '\u0007x', n: 1 }, 100, 100), { a: 'x', n: 1 });
    assert.deepEqual(fittedRecord({ a: Array.from({ length: 500 }, () => 'xx') }, 100, 1_000), { omitted: 'it is too long' });
  });

  it('is cleaned in names, descriptions, metadata and pushes', async () => {
    const fake = new FakeGateway();
    fake.session('a');
    const bad = 'x\u001b]0;y\u0007';
    for (const instance of ['i', 'j']) {
      const description = bad;
      const metadata = { title: bad, deep: { more: bad } };
      fake.spawned('a').say(hello({ name: 'tabs', instance, metadata, tools: [tool('shot', { description })] }));
    }
    const refused = fake.spawned('a').say(hello({ name: bad }));
    assert.deepEqual(refused.errors, ['INVALID_JSON']);
    fake
      .spawned('a')
      .say(hello({ name: 'ci' }))
      .say({ type: 'push', level: 'inject', event: bad, metadata: { [bad]: 1, deep: [bad] } });
    fake.settle();
    const outcome = await fake.call('a', 'list_tabs_instances').outcome();
    for (const told of [fake.owner.events, outcome, fake.gateway.status().providers]) {
      const values: string[] = [];
      JSON.stringify(told, (key, value: unknown) => (values.push(key, String(value)), value));
      assert.ok(values.length && !values.some((value) => /[\u0000-\u0008\u000b-\u001f]/.test(value)), JSON.stringify(told));
    }
    fake.dispose();
  });
});
