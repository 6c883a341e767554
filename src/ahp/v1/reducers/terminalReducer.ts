import { createReducer, isAbsent, setField } from '../../common/reducers/reducer.ts';
import { terminalRecipe } from '../../common/terminal.ts';
import type { TerminalAction, TerminalState } from '../terminal.ts';

/** Reduces a terminal. */
export const terminalReducer = createReducer<TerminalState, TerminalAction>((draft, action, now) => {
  if (action.type !== 'terminal/exited') terminalRecipe(draft, action, now);
  else if (isAbsent(action.exitCode) || typeof action.exitCode === 'number') setField(draft, 'exitCode', action.exitCode);
});
