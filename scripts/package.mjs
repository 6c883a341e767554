// Packs dist/ and the manifest into a .vsix for this platform: `node scripts/package.mjs [out.vsix]`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { root } from './workbenchTools.mjs';

export async function packageExtension(packagePath) {
  await createVSIX({ cwd: root, packagePath, dependencies: false, rewriteRelativeLinks: false });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = process.argv[2] ?? join(root, 'dist', 'tapline.vsix');
  await packageExtension(out);
  console.log(out);
}
