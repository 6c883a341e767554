/** Which providers run the calls of the transcript, as the bridge knows. */
import { useMemo } from 'preact/hooks';
import { knownCalls, type KnownCalls } from '../../../views/session/toolCall/callProvider.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { BridgeInfo } from '../protocol.ts';

/** The same object as long as nothing of it changes: each message of the extension brings new objects. */
export function useKnownCalls(bridge: BridgeInfo | undefined, chat?: URI): KnownCalls {
  const text = JSON.stringify(bridge && { clientId: bridge.clientId, calls: bridge.calls });
  return useMemo(() => knownCalls(bridge, chat), [text, chat]);
}
