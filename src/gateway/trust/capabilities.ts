/** The capability matrix: what each level of trust may do. */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { Hooks } from '../../tap/wire/hookShapes.ts';
import type { Hello, Push } from '../../tap/wire/providerMessages.ts';
import type { Trust } from './tokenGrants.ts';

/** Sections of the system prompt to which providers may only append, whatever their trust. */
export const protectedSections: ReadonlySet<string> = new Set(['safety', 'identity']);
const toolEvents: ReadonlySet<string> = new Set(['tool.execution_complete']);

export function checkHello(trust: Trust, hello: Hello): void {
  if (hello.hooks) checkHooks(trust, hello.hooks);
  if (trust !== 'external') return;
  if (hello.context !== undefined) forbid('context');
  if (hello.startup_context !== undefined) forbid('startup_context');
  const event = hello.subscribe?.find((name) => !toolEvents.has(name));
  if (event !== undefined) forbid(`subscribe to ${JSON.stringify(event)}`);
}

export function checkHooks(trust: Trust, { onPreToolUse, transforms }: Hooks): void {
  if (trust === 'external' && onPreToolUse?.length) forbid('hook rules');
  for (const [section, transform] of Object.entries(transforms ?? {})) {
    if (!transform || transform.action === 'append') continue;
    if (protectedSections.has(section)) {
      throw new ProviderError(ErrorCode.Unauthorized, `the section ${JSON.stringify(section)} is protected: it can only be appended to`);
    }
    if (trust === 'external') forbid(`the transform ${transform.action}`);
  }
}

export function checkContext(trust: Trust): void {
  if (trust === 'external') forbid('context');
}

export function checkPush(trust: Trust, push: Push): void {
  if (trust !== 'external') return;
  if (push.prompt !== undefined) forbid('prompt');
  if (push.broadcast) forbid('broadcast');
}

function forbid(what: string): never {
  throw new ProviderError(ErrorCode.Unauthorized, `${what}: not for external providers`);
}
