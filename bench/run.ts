/** Runs the benches one after the other (they share the machine); each prints its figures as JSON lines. */
import { run as client } from './client.ts';
import { run as gateway } from './gateway.ts';
import { run as reducers } from './reducers.ts';
import { run as views } from './views.ts';

for (const run of [reducers, client, views, gateway]) await run();
