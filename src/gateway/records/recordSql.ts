/** A question for records as SQL. */
import type { RecordQuery } from '../../tap/wire/records/record.ts';

export interface Sql {
  text: string;
  values: (string | number)[];
}

export function recordSql({ kind, without, sessionId, since, until, where = {}, limit, after }: RecordQuery): Sql {
  const conditions: [string, string | number][] = [];
  if (kind !== undefined) conditions.push(['kind = ?', kind]);
  if (without !== undefined) conditions.push(['kind <> ?', without]);
  if (sessionId !== undefined) conditions.push(['session = ?', sessionId]);
  if (since !== undefined) conditions.push(['at >= ?', since]);
  if (until !== undefined) conditions.push(['at <= ?', until]);
  if (after !== undefined) conditions.push(['seq > ?', after]);
  for (const [field, value] of Object.entries(where)) {
    // The names were checked, and hold no quotes.
    const path = `'$.${field
      .split('.')
      .map((name) => `"${name}"`)
      .join('.')}'`;
    // JSON's true is 1 in SQLite, so the type tells it from the number.
    if (typeof value === 'boolean') conditions.push([`json_type(data, ${path}) = ?`, String(value)]);
    else conditions.push([`json_extract(data, ${path}) = ?`, value]);
  }
  // The ids of spans begin with that of their trace, and have an index.
  const { traceId } = where;
  if (kind === 'trace' && typeof traceId === 'string') conditions.push(['id >= ?', `${traceId}.`], ['id < ?', `${traceId}/`]);
  const filter = conditions.length ? ` WHERE ${conditions.map(([condition]) => condition).join(' AND ')}` : '';
  const order = after === undefined ? 'DESC' : 'ASC';
  return {
    text: `SELECT seq, kind, id, at, session, data FROM record${filter} ORDER BY seq ${order} LIMIT ?`,
    values: [...conditions.map(([, value]) => value), limit],
  };
}
