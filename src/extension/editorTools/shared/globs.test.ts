import assert from 'node:assert/strict';
import { excludePattern } from './globs.ts';

describe('Excluded patterns', () => {
  it('become one pattern without braces in braces', () => {
    assert.equal(
      excludePattern({ '**/node_modules': true, '**/*.{js,map}': true, '**/kept': false }),
      '{**/node_modules,**/*.js,**/*.map}',
    );
    assert.equal(excludePattern({ '**/{a,b{1,2}}': true }), '{**/a,**/b1,**/b2}');
    assert.equal(excludePattern({ only: true }), 'only');
  });

  it('stay few, however many a setting of a repository stands for', () => {
    const pattern = excludePattern({ [`**/${'{a,b}'.repeat(40)}`]: true, '**/kept': true });
    assert.ok((pattern?.split(',').length ?? 0) <= 500);
  });

  it('are none where the setting is empty, or no setting', () => {
    for (const setting of [{}, undefined, null, { a: { when: '$(basename).ts' } }]) assert.equal(excludePattern(setting), undefined);
  });
});
