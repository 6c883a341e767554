/** Messages of a provider, for the gateway. */
import { Limit } from './limits.ts';
import { checkMessage, identify, type Parsed, parseJson, refuse } from './parseFrame.ts';
import { providerMessages, type ProviderMessage } from './providerMessages.ts';

/** A frame of a provider. `bytes`: its size on the wire. */
export function parseProviderFrame(frame: string, bytes: number): Parsed<ProviderMessage> {
  if (bytes > Limit.toolResultBytes) return refuse('PAYLOAD_TOO_LARGE', `the message is larger than ${Limit.toolResultBytes} bytes`);
  const value = parseJson(frame);
  if (!value.ok) return value;
  const fields = value.message;
  const known = identify(fields);
  if (fields.type !== 'tool.result' && bytes > Limit.messageBytes) {
    return refuse('PAYLOAD_TOO_LARGE', `only a tool.result may be larger than ${Limit.messageBytes} bytes`, known);
  }
  return parseProviderMessage(fields);
}

/** A message that is an object already: from a frame, or from the same process. */
export function parseProviderMessage(fields: Record<string, unknown>): Parsed<ProviderMessage> {
  return checkMessage<ProviderMessage>(providerMessages, fields);
}
