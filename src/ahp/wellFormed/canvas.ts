import type { CanvasState } from '../channels/canvas.ts';
import { may, object, or, text } from './parts/shapeChecks.ts';

const canvas = object({
  instanceId: or('', text),
  extensionId: or('', text),
  canvasId: or('', text),
  extensionName: may(text),
  title: may(text),
  status: may(text),
  url: may(text),
});
const noCanvas: CanvasState = { instanceId: '', extensionId: '', canvasId: '' };

export function wellFormedCanvas(value: CanvasState): CanvasState {
  return (canvas(value) ?? noCanvas) as CanvasState;
}
