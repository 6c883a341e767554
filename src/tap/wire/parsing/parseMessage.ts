/** Parses the messages of a provider, for the gateway. */
import { ErrorCode } from '../errorCodes.ts';
import { Limit } from '../limits.ts';
import { checkMessage, identify, type Parsed, parseJson, refuse } from './parseFrame.ts';
import { providerMessages, type ProviderMessage } from '../providerMessages.ts';

/** Parses a frame. `bytes`: its size on the wire. */
export function parseProviderFrame(frame: string, bytes: number): Parsed<ProviderMessage> {
  if (bytes > Limit.toolResultBytes) return refuse(ErrorCode.PayloadTooLarge, `the message is larger than ${Limit.toolResultBytes} bytes`);
  const value = parseJson(frame);
  if (!value.ok) return value;
  const fields = value.message;
  const known = identify(fields);
  if (fields.type !== 'tool.result' && bytes > Limit.messageBytes) {
    return refuse(ErrorCode.PayloadTooLarge, `only a tool.result may be larger than ${Limit.messageBytes} bytes`, known);
  }
  return parseProviderMessage(fields);
}

/** Parses a message that is an object already. */
export function parseProviderMessage(fields: Record<string, unknown>): Parsed<ProviderMessage> {
  return checkMessage<ProviderMessage>(providerMessages, fields);
}
