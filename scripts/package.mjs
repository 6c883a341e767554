// npm run package: builds Tapline and packs it into `tapline.vsix` (or the file that is named) for this platform.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { root, runNode } from './workbenchTools.mjs';

/** Packs dist/ as it is, with the manifest. */
export async function packageExtension(packagePath) {
  await createVSIX({ cwd: root, packagePath, dependencies: false, rewriteRelativeLinks: false });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = resolve(process.argv[2] ?? 'tapline.vsix');
  runNode(process.execPath, ['scripts/build.mjs', '--production']);
  await packageExtension(out);
  console.log(`\n${out}\nInstall it with: code --install-extension ${out}`);
}
