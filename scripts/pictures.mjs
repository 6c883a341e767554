// npm run pictures: takes the pictures of the documents anew, by the end-to-end tests of what they show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWorkbenchTools, root, runNode } from './workbenchTools.mjs';

ensureWorkbenchTools();
runNode(process.execPath, ['scripts/build.mjs']);
const folder = join(root, 'test/e2e');
const takes = (name) => name.endsWith('.test.ts') && /\bworkbench\.(?:picture|film)\(/.test(readFileSync(join(folder, name), 'utf8'));
const files = readdirSync(folder)
  .filter(takes)
  .map((name) => `test/e2e/${name}`);
process.env.TAPLINE_PICTURES = '1';
runNode(process.execPath, ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--exit', '--timeout', '120000', ...files]);
