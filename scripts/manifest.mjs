// npm run manifest: writes what the table of commands says into package.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { root } from './workbenchTools.mjs';

const { commandContributions } = await tsImport('../src/extension/commandContributions.ts', import.meta.url);
const file = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
Object.assign(manifest.contributes, commandContributions());
writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
