/** A process that runs one command in a terminal, like a host, and ends by itself when told to on stdin. */
import { nullLogger } from '../../../src/base/log.ts';
import { StateStore } from '../../../src/host/state/stateStore.ts';
import { Terminals } from '../../../src/host/terminals/terminals.ts';

const [commandLine = ''] = process.argv.slice(2);
const store = new StateStore();
const terminals = new Terminals(store, { logger: nullLogger });
store.onDidDispatch(({ envelope }) => {
  const { action } = envelope;
  if (action.type === 'terminal/data') process.stdout.write(action.data);
});
await terminals.runCommand({
  session: 'demo:/1',
  chat: 'ahp-chat:/1',
  workingDirectory: process.cwd(),
  turnId: 't',
  toolCallId: 'c',
  commandLine,
  title: 'child',
  signal: new AbortController().signal,
});
process.stdin.once('data', () => process.exit(0));
