/** Canvas channels (since 1.0.0, experimental): a surface of an extension that a chat refers to. */
import { isRecord } from '../../base/isRecord.ts';
import { createReducer, isAbsent, setField } from '../common/reducers/reducer.ts';
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
  const canvas: Partial<Record<string, unknown>> = action.canvas;
  const isIn = (key: string) => Object.hasOwn(canvas, key) && !isAbsent(canvas[key]);
  for (const key of Object.keys(draft)) if (!isIn(key)) Reflect.deleteProperty(draft, key);
  for (const key of Object.keys(canvas))
    if (key !== '__proto__' && isIn(key)) setField(draft, key as keyof CanvasState, canvas[key] as string);
});
