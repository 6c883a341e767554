import type { StreamOwner } from './streams.ts';

/** The owner of the streams that the gateway fills itself: those of emitters, and what is posted with the tools of `tap`. */
export const tapStreams: StreamOwner = { name: 'tap', account: 'local', budgetKey: JSON.stringify(['local', 'tap']) };
