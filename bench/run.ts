/** Runs the benches one after the other (they share the machine); each prints its figures as JSON lines. */
import { run as client } from './client.ts';
import { run as reducers } from './reducers.ts';

for (const run of [reducers, client]) await run();
