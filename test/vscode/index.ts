/** The entry point that VS Code loads in the extension host. */
import Mocha from 'mocha';
import { defineAttachmentsSuite } from './attachments.ts';
import { defineEditorToolsSuite } from './editorTools.ts';
import { defineOpenCtxSuite } from './openCtx.ts';
import { defineProjectProvidersSuite } from './projectProviders.ts';
import { defineSuite } from './suite.ts';
import { defineVsCodeHostsSuite } from './vsCodeHosts.ts';

export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    reporter: process.env.TAPLINE_REPORTER,
    grep: process.env.TAPLINE_GREP,
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  defineSuite();
  defineAttachmentsSuite();
  defineEditorToolsSuite();
  defineProjectProvidersSuite();
  defineOpenCtxSuite();
  defineVsCodeHostsSuite();
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}
