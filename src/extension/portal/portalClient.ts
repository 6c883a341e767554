/** The portal's HTTP interface, for the extension. Answers are checked before anything is made of them. */
import type * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { errorText } from '../../views/portal/errorText.ts';
import type { PortalAddress } from './portalDaemon.ts';

const TIMEOUT_MS = 10_000;
/** Of an answer. */
const MAX_CHARACTERS = 32_000_000;

export type PortalJson = Record<string, unknown>;

/** Rejects with a {@link UserError} where the portal cannot be reached, refuses, or answers `{error}`. */
export async function callPortal(
  { url, token }: PortalAddress,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<PortalJson> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/api/${path}`, {
      method: 'POST',
      ...(body !== undefined && { body }),
      headers: { ...headers, ...(token !== '' && { Authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch {
    throw new UserError('The portal cannot be reached.');
  }
  if (text.length > MAX_CHARACTERS) throw new UserError('The portal’s answer is too long.');
  let answer: PortalJson;
  try {
    answer = JSON.parse(text) as PortalJson;
  } catch {
    throw new UserError('The portal did not answer as a portal does.');
  }
  if (!response.ok || answer['error'] !== undefined) throw new UserError(errorText(answer));
  return answer;
}

/** An answer of the shape. Rejects like {@link callPortal}, also for another shape. */
export async function readPortal<T>(address: PortalAddress, path: string, shape: z.ZodType<T>): Promise<T> {
  const { success, data } = shape.safeParse(await callPortal(address, path));
  if (!success) throw new UserError('The portal has another version than this Tapline. Stop it and open it again.');
  return data;
}
