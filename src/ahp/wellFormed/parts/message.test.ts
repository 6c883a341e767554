import assert from 'node:assert/strict';
import { attachments, messageAttachment } from '../../channels/shapes/message.ts';
import { attachment } from './message.ts';

const range = { start: { line: 0, character: 1 }, end: { line: 2, character: 3 } };
const common = { label: 'a', range, displayKind: 'picture', _meta: { of: 'anyone' } };
/** With all that each may have. */
const samples: Record<string, Record<string, unknown>> = {
  simple: { ...common, modelRepresentation: 'text' },
  embeddedResource: { ...common, data: 'QQ==', contentType: 'text/plain', selection: { range } },
  resource: { ...common, uri: 'file:///a', sizeHint: 1, contentType: 'text/plain', nonce: 'n', selection: { range } },
  annotations: { ...common, resource: 'ahp-annotations:/1', annotationIds: ['b'] },
  chat: { ...common, resource: 'ahp-chat:/1', endTurn: 't' },
};

describe('what a message has attached', () => {
  for (const { shape } of attachments) {
    const [type = ''] = [...shape.type.def.values];
    const sample = { ...samples[type], type };

    it(`is kept whole where it fits: ${type}`, () => {
      assert.deepEqual(Object.keys(sample).sort(), Object.keys(shape).sort(), 'the sample has all that the schema has');
      assert.equal(attachment(sample), sample);
    });

    it(`fits the schema when something in it does not: ${type}`, () => {
      for (const name of Object.keys(shape)) {
        for (const wrong of ['', 7, {}, [''], { start: range.start }, undefined, null]) {
          const kept = attachment({ ...sample, [name]: wrong });
          if (kept !== undefined)
            assert.ok(messageAttachment.safeParse(kept).success, `${name}: ${JSON.stringify(wrong)} as ${JSON.stringify(kept)}`);
        }
      }
    });
  }
});
