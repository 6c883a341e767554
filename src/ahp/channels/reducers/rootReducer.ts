import { createReducer } from '../../common/reducers/reducer.ts';
import { rootRecipe } from '../../common/root.ts';
import type { RootAction, RootState } from '../root.ts';

export const rootReducer = createReducer<RootState, RootAction>(rootRecipe);
