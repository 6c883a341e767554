import { isRecord } from '../../../base/isRecord.ts';
import type { RootAction, RootState } from '../root.ts';
import { createReducer, setField, withConfigValues } from './reducer.ts';

/** Reduces the root resource. */
export const rootReducer = createReducer<RootState, RootAction>((draft, action) => {
  switch (action.type) {
    case 'root/agentsChanged':
      if (Array.isArray(action.agents)) setField(draft, 'agents', action.agents);
      break;
    case 'root/activeSessionsChanged':
      if (typeof action.activeSessions === 'number') setField(draft, 'activeSessions', action.activeSessions);
      break;
    case 'root/terminalsChanged':
      if (Array.isArray(action.terminals)) setField(draft, 'terminals', action.terminals);
      break;
    case 'root/configChanged': {
      const config = draft.config;
      if (isRecord(config) && isRecord(action.config)) draft.config = withConfigValues(config, action.config, action.replace === true);
      break;
    }
    default:
  }
});
