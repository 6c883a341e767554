import assert from 'node:assert/strict';
import { withoutMarkup } from './withoutMarkup.ts';

describe('withoutMarkup', () => {
  it('breaks icons and links and nothing else', () => {
    assert.doesNotMatch(withoutMarkup('$(vm-active) $(sync~spin)'), /\$\(/);
    assert.doesNotMatch(withoutMarkup('[Open](command:workbench.action.quit) [x](https://example.com)'), /\]\(/);
    for (const text of ['echo $((40+2))', '$(npm bin)/x', 'a [b] (c)', 'costs $5 (net)']) assert.equal(withoutMarkup(text), text);
  });
});
