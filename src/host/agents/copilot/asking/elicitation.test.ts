import assert from 'node:assert/strict';
import type { ElicitationContext } from '@github/copilot-sdk';
import type { InputAnswer, InputRequest } from '../../../../ahp/common/inputRequest.ts';
import type { AgentTurn } from '../../agent.ts';
import { elicit, UnaskableForm } from './elicitation.ts';

type Request = Omit<InputRequest, 'id'>;

/** A fake turn whose user answers with these; `asked` has what was asked. */
function turnAnswering(answers: Record<string, InputAnswer> = {}): { turn: AgentTurn; asked: Request[] } {
  const asked: Request[] = [];
  const ask = async (request: Request) => {
    asked.push(request);
    return { response: 'accept', answers };
  };
  return { turn: { ask } as unknown as AgentTurn, asked };
}
function form(properties: unknown, more: object = {}): ElicitationContext {
  return { sessionId: 's', message: 'Tell', requestedSchema: { type: 'object', properties, ...more } } as ElicitationContext;
}

describe('forms of MCP servers', () => {
  it('have choices with titles, also where several may be chosen', async () => {
    const choices = [
      { const: '', title: 'None' },
      { const: 'x', title: 'Ex' },
    ];
    const { turn, asked } = turnAnswering({
      one: { state: 'submitted', value: { kind: 'selected', value: '0' } },
      more: { state: 'submitted', value: { kind: 'selected-many', value: ['0', '1'] } },
    });
    const result = await elicit(
      turn,
      form({ one: { type: 'string', oneOf: choices, default: '' }, more: { type: 'array', items: { anyOf: choices } } }),
    );
    assert.deepEqual(result, { action: 'accept', content: { one: '', more: ['', 'x'] } });
    assert.deepEqual(asked[0]?.answers, { one: { state: 'draft', value: { kind: 'selected', value: '0' } } });
  });

  it('get only what was sent, in their types', async () => {
    const { turn } = turnAnswering({
      skipped: { state: 'skipped' },
      draft: { state: 'draft', value: { kind: 'text', value: 'x' } },
      other: { state: 'submitted', value: { kind: 'number', value: 1 } },
      choice: { state: 'submitted', value: { kind: 'selected', value: '9' } },
      foreign: { state: 'submitted', value: { kind: 'text', value: 'x' } },
      __proto__: { state: 'submitted', value: { kind: 'text', value: 'x' } },
    });
    const text = { type: 'string' };
    const fields = { skipped: text, draft: text, other: text, missing: text, toString: text, choice: { type: 'string', enum: ['a'] } };
    assert.deepEqual(await elicit(turn, form(fields)), { action: 'accept', content: {} });
  });

  it('may have fields with any name', async () => {
    const name = '__proto__';
    const answers = JSON.parse(`{"${name}":{"state":"submitted","value":{"kind":"text","value":"x"}}}`) as Record<string, InputAnswer>;
    const { turn } = turnAnswering(answers);
    const { content } = await elicit(turn, form(JSON.parse(`{"${name}":{"type":"string"}}`)));
    assert.deepEqual(Object.entries(content ?? {}), [[name, 'x']]);
  });

  it('name who asks, and nobody where nobody is named', async () => {
    const { turn, asked } = turnAnswering();
    await elicit(turn, { ...form({}), elicitationSource: 'shop' });
    await elicit(turn, form({}));
    assert.deepEqual(
      asked.map(({ message }) => message),
      ['shop asks: Tell', 'Tell'],
    );
  });

  for (const [what, context] of [
    ['no schema', { sessionId: 's', message: 'Tell' }],
    ['no fields', form(undefined)],
    ['fields that are a list', form([])],
    ['an object in it', form({ a: { type: 'object', properties: {} } })],
    ['a list of anything', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['choices that are no texts', form({ a: { type: 'string', enum: [1] } })],
    ['titled choices that are no texts', form({ a: { type: 'string', oneOf: [{ title: 'One' }] } })],
    ['a field without a type', form({ a: null })],
  ] as [string, ElicitationContext][])
    it(`are not asked with ${what}`, async () => {
      const { turn, asked } = turnAnswering();
      await assert.rejects(elicit(turn, context), UnaskableForm);
      assert.deepEqual(asked, []);
    });

  for (const url of [undefined, 'no address', 'file:///etc/passwd', 'javascript:alert(1)', 'command:x', 'vscode://a/b'])
    it(`do not open ${url}`, async () => {
      const { turn, asked } = turnAnswering();
      const context: ElicitationContext = { sessionId: 's', message: 'Look', mode: 'url', ...(url !== undefined && { url }) };
      await assert.rejects(elicit(turn, context), UnaskableForm);
      assert.deepEqual(asked, []);
    });
});
