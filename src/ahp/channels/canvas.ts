/** Canvas channels (since 1.0.0, experimental): a surface of an extension that a chat refers to. */
import { isRecord } from '../../base/isRecord.ts';
import { createReducer, setField } from '../common/reducers/reducer.ts';
import type { ActionsOf } from '../common/schemas.ts';

export interface CanvasState {
  instanceId: string;
  extensionId: string;
  canvasId: string;
  extensionName?: string;
  title?: string;
  status?: string;
  url?: string;
}

interface CanvasHostActions {
  /** Replaces the whole state. */
  'canvas/stateChanged': { canvas: CanvasState };
}
export type CanvasAction = ActionsOf<CanvasHostActions>;

export const canvasReducer = createReducer<CanvasState, CanvasAction>((draft, action) => {
  if (action.type !== 'canvas/stateChanged' || !isRecord(action.canvas)) return;
  const { canvas } = action;
  for (const key of Object.keys(draft) as (keyof CanvasState)[]) if (!Object.hasOwn(canvas, key)) Reflect.deleteProperty(draft, key);
  for (const [key, value] of Object.entries(canvas)) if (key !== '__proto__') setField(draft, key as keyof CanvasState, value as string);
});
