import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';

/** True for the provider inside the gateway. Every session has its tools, so they are not counted among those of providers. */
export function isGatewaysOwn(name: string, trust: string): boolean {
  return name === 'tap' && trust === ('internal' satisfies OfferedTool['trust']);
}
