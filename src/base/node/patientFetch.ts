/** As much of `fetch` as programs ask of servers of this computer, without its own limit: it gives up after five minutes without an answer. */
import { request } from 'node:http';
import { Readable } from 'node:stream';

export interface PatientInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** The only limit. */
  signal: AbortSignal;
}

/** `url`: of http. Rejects also for a redirect. */
export function patientFetch(url: string, { method, headers, body, signal }: PatientInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    // A connection that is kept may have been closed by the other end when the next request is sent.
    const asked = request(url, { method, headers, signal, agent: false }, (answer) => {
      const { statusCode: status = 0 } = answer;
      try {
        if (status >= 300 && status < 400) throw new Error('unexpected redirect');
        resolve(new Response(Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0], { status }));
      } catch (error) {
        answer.destroy();
        reject(error as Error);
      }
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
