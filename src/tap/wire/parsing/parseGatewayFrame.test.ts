import assert from 'node:assert/strict';
import { parseGatewayFrame } from './parseGatewayFrame.ts';

const problemOf = (message: unknown) => {
  const parsed = parseGatewayFrame(typeof message === 'string' ? message : JSON.stringify(message));
  return parsed.ok ? undefined : parsed.bad;
};

describe('messages of a gateway', () => {
  it('keep known fields and drop the rest', () => {
    const parsed = parseGatewayFrame(
      '{"type":"tool.call","id":"1","sessionId":"a","tool":"t","args":{"__proto__":{"x":1},"y":2},"later":1}',
    );
    assert.deepEqual(parsed, { ok: true, message: { type: 'tool.call', id: '1', sessionId: 'a', tool: 't', args: { y: 2 } } });
  });

  it('say what the user has decided about hooks and context, where they say it at all', () => {
    const wants = ['hooks', 'context'];
    const ack = { type: 'hello.ack', protocolVersion: 2, providerId: 'p' };
    assert.deepEqual(parseGatewayFrame(JSON.stringify(ack)), { ok: true, message: ack });
    for (const decision of ['asked', 'allowed', 'denied'])
      for (const message of [
        { ...ack, consent: { decision, wants } },
        { type: 'consent.updated', decision, wants },
      ])
        assert.deepEqual(parseGatewayFrame(JSON.stringify(message)), { ok: true, message });
    assert.match(problemOf({ type: 'consent.updated', decision: 'maybe', wants })?.problem ?? '', /^decision: /);
  });

  it('name the field that is wrong, and what was expected', () => {
    assert.match(problemOf({ type: 'sessions', active: [{ id: 'a', label: 7 }] })?.problem ?? '', /^active\[0\]\.label: .*expected string/);
    assert.match(problemOf({ type: 'hello.ack', providerId: 'p' })?.problem ?? '', /^protocolVersion: .*expected number/);
    assert.equal(problemOf({ type: 'of tomorrow' })?.code, 'UNKNOWN_TYPE');
    assert.equal(problemOf('[')?.code, 'INVALID_JSON');
    assert.match(problemOf(`{"type":"ack","requestId":${'['.repeat(500)}`)?.problem ?? '', /nested deeper/);
  });
});
