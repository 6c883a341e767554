/**
 * Makes a host's state fit its types before it is shown. A host may send anything and the reducers keep it, but views rely on the types.
 * What fits stays the same object. What does not is left out, replaced by an empty value, or made a part of unknown kind, which is shown
 * as it came.
 */
export { wellFormedAnnotations } from './annotations.ts';
export { wellFormedConfig, wellFormedConfigItems, wellFormedEntries, wellFormedResource } from './answers.ts';
export { wellFormedAutomations } from './automations.ts';
export { wellFormedChangeset } from './changeset.ts';
export { wellFormedChat } from './chat.ts';
export { wellFormedRoot } from './root.ts';
export { wellFormedSession } from './session.ts';
export { wellFormedSummary } from './summary.ts';
export { wellFormedTerminal } from './terminal.ts';
