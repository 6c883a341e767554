import type { OwnerClient } from '../../tap/owner/ownerClient.ts';
import { RecordLimit, type RecordQuery } from '../../tap/wire/records/record.ts';

/** All that fit, oldest first, as JSON lines. */
export async function printRecords(client: Pick<OwnerClient, 'request'>, asked: RecordQuery, out: NodeJS.WritableStream): Promise<void> {
  for (let after = 0; ;) {
    const { records } = await client.request('records/query', { ...asked, after, limit: RecordLimit.asked });
    for (const { at, ...record } of records) {
      const isTaken = out.write(`${JSON.stringify({ ...record, at: new Date(at).toISOString() })}\n`);
      if (!isTaken) await new Promise((resolve) => out.once('drain', resolve));
    }
    const last = records.at(-1);
    if (!last || records.length < RecordLimit.asked) return;
    after = last.seq;
  }
}
