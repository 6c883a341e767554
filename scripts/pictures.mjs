// npm run pictures: takes the pictures of the documents anew, by the tests of what they show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWorkbenchTools, root, runNode } from './workbenchTools.mjs';

ensureWorkbenchTools();
runNode(process.execPath, ['scripts/build.mjs']);
const takes = (file) =>
  file.endsWith('.test.ts') && /\b(?:workbench\.(?:picture|film)|pagePicture)\(/.test(readFileSync(join(root, file), 'utf8'));
const files = ['test/e2e', 'test/webview']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter(takes);
process.env.TAPLINE_PICTURES = '1';
runNode(process.execPath, ['--import=tsx', 'node_modules/mocha/bin/mocha.js', '--exit', '--timeout', '120000', ...files]);
