/** Runs the benchmarks one after the other, because they share the machine: all of them, or those that are named. Each prints its figures as JSON lines. */
import { run as activation } from './activation.ts';
import { run as bridge } from './bridge.ts';
import { run as busyWorkbench } from './busyWorkbench.ts';
import { run as client } from './client.ts';
import { run as emitters } from './emitters.ts';
import { run as firstPaint } from './firstPaint.ts';
import { run as gateway } from './gateway.ts';
import { run as hostActions } from './hostActions.ts';
import { run as lentCall } from './lentCall.ts';
import { run as longSession } from './longSession.ts';
import { run as noisyTerminal } from './noisyTerminal.ts';
import { run as openCtx } from './openCtx.ts';
import { run as pageFrame } from './pageFrame.ts';
import { run as pageSizes } from './pageSizes.ts';
import { run as portal } from './portal.ts';
import { run as reducers } from './reducers.ts';
import { run as tracing } from './tracing.ts';
import { run as upgrade } from './upgrade.ts';
import { run as views } from './views.ts';

const benchmarks = {
  reducers,
  upgrade,
  client,
  hostActions,
  longSession,
  pageFrame,
  views,
  gateway,
  emitters,
  tracing,
  lentCall,
  bridge,
  portal,
  pageSizes,
  firstPaint,
  noisyTerminal,
  openCtx,
  activation,
  busyWorkbench,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) if (named.length === 0 || named.includes(name)) await run();
