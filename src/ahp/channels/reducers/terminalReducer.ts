import { createReducer, setField } from '../../common/reducers/reducer.ts';
import { terminalRecipe } from '../../common/terminal.ts';
import type { TerminalAction, TerminalState } from '../terminal.ts';

export const terminalReducer = createReducer<TerminalState, TerminalAction>((draft, action, now) => {
  if (action.type !== 'terminal/exited') return terminalRecipe(draft, action, now);
  const { exitCode } = action;
  setField(draft, 'lifecycle', { status: 'exited', ...(typeof exitCode === 'number' && { exitCode }) });
});
