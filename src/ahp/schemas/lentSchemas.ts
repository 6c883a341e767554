/** The requests of `tapline.lentFiles` and their results, for the sides that make and answer them. */
import * as z from 'zod/mini';

const uri = z.string();
/** What a host may ask about files that are lent. */
export const lentRequests = {
  resourceRead: z.object({ uri, encoding: z.optional(z.enum(['base64', 'utf-8'])) }),
  resourceList: z.object({ uri }),
};
export type LentRequest = keyof typeof lentRequests;

/** The answers, of a client that may be anyone's. */
export const lentResults = {
  resourceRead: z.object({ data: z.string(), encoding: z.enum(['base64', 'utf-8']) }),
  resourceList: z.object({ entries: z.array(z.object({ name: z.string(), type: z.string() })) }),
};
export type LentResult<M extends LentRequest> = z.infer<(typeof lentResults)[M]>;
