// npm run manifest: writes what the tables of commands, settings and views say into package.json, and their texts into package.nls.json. With
// --translated it notes that the other languages say the same as the English texts of now.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { root } from './workbenchTools.mjs';

const write = (name, value) => writeFileSync(join(root, name), `${JSON.stringify(value, undefined, 2)}\n`);

const { manifestParts } = await tsImport('../src/extension/manifest/manifestParts.ts', import.meta.url);
const { description, untrusted, contributes, texts } = manifestParts();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
Object.assign(manifest.contributes, contributes);
manifest.description = description;
manifest.capabilities.untrustedWorkspaces.description = untrusted;
write('package.json', manifest);
write('package.nls.json', texts);
if (process.argv.includes('--translated')) {
  const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);
  write('src/extension/manifest/translatedFrom.json', Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, digest(text)])));
}
