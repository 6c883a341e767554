import assert from 'node:assert/strict';
import type { ModelSetting } from '../settings.ts';
import { idOf } from './modelIds.ts';

describe('the id of a model that is added', () => {
  const model = (id: string, baseUrl: string, name?: string): ModelSetting => ({
    ...{ id, name: id, baseUrl, wireApi: 'completions' },
    ...(name !== undefined && { model: name }),
  });

  it('is the server’s name for it, and the same when it is added again', () => {
    assert.equal(idOf('llama', 'http://a/v1', []), 'llama');
    assert.equal(idOf('llama', 'http://a/v1', [model('llama', 'http://a/v1')]), 'llama');
  });

  it('has the server in it where another one has a model of that name', () => {
    const first = model('llama', 'http://a/v1');
    assert.equal(idOf('llama', 'http://b:8080/v1', [first]), 'llama (b:8080)');
    const second = model('llama (b:8080)', 'http://b:8080/v1', 'llama');
    assert.equal(idOf('llama', 'http://b:8080/v1', [first, second]), 'llama (b:8080)');
    assert.equal(idOf('llama', 'http://b:8080/other/v1', [first, second]), 'llama (http://b:8080/other/v1)');
  });
});
