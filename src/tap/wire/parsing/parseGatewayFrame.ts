/** Parses the messages of a gateway, for providers. It is small, because it is bundled into pages; see gatewayMessages.ts. */
import english from 'zod/v4/locales/en.js';
import { gatewayMessages, type GatewayMessage } from '../gatewayMessages.ts';
import { checkMessage, type Parsed, parseJson } from './parseFrame.ts';

/** `zod/mini` has no texts of its own: every problem would be "Invalid input". */
const error = english().localeError;

export function parseGatewayFrame(frame: string): Parsed<GatewayMessage> {
  const value = parseJson(frame);
  return value.ok ? checkMessage<GatewayMessage>(gatewayMessages, value.message, { error }) : value;
}
