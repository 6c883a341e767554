/** The entry that VS Code loads in the extension host. */
import Mocha from 'mocha';
import { defineSuite } from './suite.ts';

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: false, reporter: process.env.TAPLINE_REPORTER });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  defineSuite();
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}
