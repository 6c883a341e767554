import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { iconsNamedIn } from '../../scripts/pageIcons.mjs';

describe('the icons that stand in a page', () => {
  const styles = readFileSync(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'), 'utf8');
  const iconsIn = (css: string) => [...css.matchAll(/^\.codicon-([\w-]+):before/gm)].map(([, name]) => name);

  it('are those that a script names, as a text or as a class', () => {
    const scripts = [
      'f("trash");g(a?"chevron-up":\'chevron-down\')',
      '`<span class="codicon codicon-copy"></span><b class="codicon codicon-check off">`',
    ];
    assert.deepEqual(iconsIn(iconsNamedIn(styles, scripts)).sort(), ['check', 'chevron-down', 'chevron-up', 'copy', 'trash']);
  });

  it('come with the font and what all of them have', () => {
    const few = iconsNamedIn(styles, ['"trash"']);
    for (const other of ['@font-face', '.codicon-modifier-spin', ".codicon[class*='codicon-']"]) assert.ok(few.includes(other), other);
  });

  it('are not missed in silence when the styles are written in another way', () => {
    assert.throws(() => iconsNamedIn(styles.replaceAll(':before', '::before'), ['"trash"']));
  });
});
