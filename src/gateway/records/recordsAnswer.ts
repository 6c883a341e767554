/** Records over HTTP: `GET /records?kind=…&since=…&until=…&session=…&where=JSON&limit=…&after=…`. */
import { messageOf, UserError } from '../../base/errors.ts';
import type { Answer } from '../../base/server/loopbackServer.ts';
import { askedByText } from '../../tap/wire/records/recordQuestion.ts';
import { type Records, RecordsRefused } from './records.ts';

/** For whom it has been checked that they may read all records of the user. */
export async function answerRecords(records: Records, url: string, now: number): Promise<Answer> {
  try {
    const query = askedByText(Object.fromEntries(new URL(url, 'http://gateway').searchParams), now);
    return { status: 200, body: { records: await records.query(query) } };
  } catch (error) {
    if (error instanceof UserError) return { status: 400, body: { error: messageOf(error) } };
    if (error instanceof RecordsRefused) return { status: 503, body: { error: messageOf(error) } };
    throw error;
  }
}
