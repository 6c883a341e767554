/** The store of runs that several portals share. */
import { UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { SharedStore } from '../portal/store/sharedStore.ts';

const VARIABLE = 'TAPLINE_STORE';

/**
 * Of the option, or of the variable, which agents must not inherit. Throws a {@link UserError} that does not have it in it: it may have a
 * password.
 */
export function takeStoreUrl(option: string | undefined): string | undefined {
  const variable = process.env[VARIABLE];
  Reflect.deleteProperty(process.env, VARIABLE);
  if (option !== undefined && variable !== undefined)
    throw new UserError(`Both --store and ${VARIABLE} say where runs are kept. Use one of them.`);
  const name = option === undefined ? VARIABLE : '--store';
  const url = option ?? variable;
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'postgres:' && parsed?.protocol !== 'postgresql:')
    throw new UserError(`${name} must be an address such as postgres://USER@SERVER:5432/DATABASE`);
  if (option !== undefined && (parsed.password !== '' || parsed.searchParams.has('password')))
    throw new UserError(
      `Other users can read the password of --store in the list of processes. Put the address into the variable ${VARIABLE}.`,
    );
  return withPassword(parsed).href;
}

/** That of the variable of PostgreSQL, which agents must not inherit either. */
function withPassword(url: URL): URL {
  const { PGPASSWORD: password } = process.env;
  Reflect.deleteProperty(process.env, 'PGPASSWORD');
  const result = new URL(url);
  if (password !== undefined && url.password === '' && !url.searchParams.has('password')) result.searchParams.set('password', password);
  return result;
}

/** What it is made of is loaded only where it is used. */
export async function openStore(url: string, logger: Logger): Promise<SharedStore> {
  const { PostgresStore } = await import('../portal/store/postgres/postgresStore.ts');
  return new PostgresStore(url, logger);
}
