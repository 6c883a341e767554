import assert from 'node:assert/strict';
import { userQuestion } from './userQuestion.ts';

const urlOf = (url: string) => {
  const { data } = userQuestion.safeParse({ message: 'Open?', url });
  return data && 'url' in data ? data.url : undefined;
};

describe('the address of a question', () => {
  it('is the one that would be opened, with codes for what cannot be seen or looks like something else', () => {
    assert.equal(urlOf('https://a.example/\u202Egpj.exe'), 'https://a.example/%E2%80%AEgpj.exe');
    assert.equal(urlOf('https://\u0430pple.com/'), 'https://xn--pple-43d.com/');
    assert.equal(urlOf('https://a.example/me@home?b=@'), 'https://a.example/me@home?b=@');
  });

  it('is none that looks like another site, or is of another kind', () => {
    for (const url of ['https://good.example@evil.example/', 'https://good.example:443@evil.example', 'file:///etc', 'javascript:1', 'x'])
      assert.equal(urlOf(url), undefined, url);
  });
});
