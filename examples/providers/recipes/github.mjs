// GitHub issues and pull requests as tools, and new comments as events in the stream “github-comments”.
// How to run it: README.md in the folder around this one.
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider, ToolError } from 'tapline/provider';

const [repository = ''] = process.argv.slice(2);
const token = process.env.GITHUB_TOKEN;
const api = process.env.GITHUB_API_URL || 'https://api.github.com';
const watchMs = 1000 * (Number(process.env.WATCH_SECONDS) || 60);
if (!token || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  console.error('Usage: GITHUB_TOKEN=… node github.mjs OWNER/REPOSITORY');
  process.exit(2);
}
/** Characters of a text, and comments, that a model gets. */
const MOST = { text: 4000, comments: 50 };

// A client may run a tool that only reads without a question. A comment is seen by everybody, and its hints make clients ask.
const reads = { readOnlyHint: true, openWorldHint: true };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const schema = (required, properties) => ({ type: 'object', required, properties, additionalProperties: false });
const number = { type: 'integer', minimum: 1, description: 'Of the issue or pull request' };

const tools = [
  {
    name: 'github_list',
    description: `Lists issues or pull requests of ${repository}, the newest first: open ones and at most 30, unless you say otherwise`,
    parameters: schema(['what'], {
      what: { enum: ['issues', 'pull requests'] },
      state: { enum: ['open', 'closed', 'all'] },
      labels: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer', minimum: 1, maximum: 300 },
    }),
    annotations: reads,
    async run({ what, state = 'open', labels = [], limit = 30 }, { signal }) {
      const query = new URLSearchParams({ state, per_page: '100', ...(labels.length && { labels: labels.join() }) });
      // To GitHub a pull request is an issue too.
      const isWanted = ({ pull_request: pull }) => (pull !== undefined) === (what === 'pull requests');
      return (await take(limit, items(`/issues?${query}`, signal), isWanted)).map(summaryOf);
    },
  },
  {
    name: 'github_read',
    description: `Reads an issue or pull request of ${repository} with its newest comments; of a pull request also the branches, files and remarks on lines`,
    parameters: schema(['number'], { number }),
    annotations: reads,
    async run(args, { signal }) {
      const { data: issue } = await request(`/issues/${args.number}`, signal);
      const comments = await commentsOf(`/issues/${args.number}/comments`, signal);
      const read = { ...summaryOf(issue), text: cut(issue.body), ...comments };
      if (!issue.pull_request) return read;
      const { data: pull } = await request(`/pulls/${args.number}`, signal);
      const files = await take(300, items(`/pulls/${args.number}/files?per_page=100`, signal));
      return {
        ...{ ...read, base: pull.base.ref, head: pull.head.ref, merged: pull.merged, mergeable: pull.mergeable },
        files: files.map(({ filename, status, additions, deletions }) => ({ filename, status, additions, deletions })),
        onLines: await commentsOf(`/pulls/${args.number}/comments`, signal),
      };
    },
  },
  {
    name: 'github_comment',
    description: `Comments on an issue or pull request of ${repository}. Everybody who can see that reads it`,
    parameters: schema(['number', 'body'], { number, body: { type: 'string', minLength: 1, maxLength: 60_000, description: 'Markdown' } }),
    annotations: writes,
    async run(args, { signal }) {
      const comment = request(`/issues/${args.number}/comments`, signal, { body: args.body }).then(({ data }) => data);
      posted.push(comment);
      return { commented: (await comment).html_url };
    },
  },
];

const cut = (text, length = MOST.text) =>
  text?.length > length ? `${text.slice(0, length)} … (${text.length - length} more)` : (text ?? '');
const summaryOf = ({ number: id, title, state, user, labels, updated_at: updated, html_url: url }) => {
  return { number: id, title: cut(title, 300), state, author: user?.login, labels: labels.map(({ name }) => name), updated, url };
};
async function commentsOf(path, signal) {
  const all = await take(Infinity, items(`${path}?per_page=100`, signal));
  const comments = all.slice(-MOST.comments).map(({ user, created_at: created, body, path: file, line }) => {
    return { author: user?.login, created, text: cut(body), file, line: line ?? undefined };
  });
  return { comments, earlierComments: all.length - comments.length };
}

/** The comments of the tool, which are no news. */
const posted = [];
let limitedUntil = 0;
/** `path`: in the repository, or an address. Once GitHub's limit is reached nothing is sent, and the error says until when. */
async function request(path, signal, body) {
  if (Date.now() >= limitedUntil) {
    const response = await fetch(path.startsWith('/') ? `${api}/repos/${repository}${path}` : path, {
      method: body ? 'POST' : 'GET',
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(20_000), ...(signal ? [signal] : [])]),
    });
    const { link, 'retry-after': wait, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = Object.fromEntries(response.headers);
    if (response.ok) return { data: await response.json(), next: /<([^<>]+)>; rel="next"/.exec(link)?.[1] };
    if (!wait && left !== '0') throw new ToolError('GITHUB_ERROR', `GitHub answers ${response.status}: ${cut(await response.text(), 300)}`);
    limitedUntil = wait ? Date.now() + 1000 * Number(wait) : 1000 * Number(reset);
  }
  throw new ToolError('RATE_LIMITED', `GitHub takes no more requests until ${new Date(limitedUntil).toISOString()}`);
}

/** Of twenty pages at most, each asked for when it is needed. */
async function* items(path, signal) {
  for (let at = path, pages = 0; at && pages < 20; pages++) {
    const { data, next } = await request(at, signal);
    yield* data;
    // The token is for this server alone.
    at = next && new URL(next).origin === new URL(api).origin ? next : undefined;
  }
}
async function take(count, from, fits = () => true) {
  const taken = [];
  for await (const item of from) if (fits(item) && taken.push(item) === count) break;
  return taken;
}

/** Tells the comments that are newer than the newest one at the start. Those on lines are counted apart. */
async function watch(path) {
  const all = `${path}?sort=created&per_page=100`;
  // The waiting does not keep a closed provider alive.
  for (let newest, said; ; await sleep(watchMs, undefined, { ref: false })) {
    try {
      if (!newest) [newest = { id: 0, created_at: '1970-01-01T00:00:00Z' }] = await take(1, items(`${all}&direction=desc`));
      if (provider.state.kind !== 'bound') continue;
      const fresh = await take(100, items(`${all}&direction=asc&since=${newest.created_at}`), ({ id }) => id > newest.id);
      const own = (await Promise.allSettled(posted)).map(({ value }) => value?.id);
      for (const comment of fresh) {
        newest = comment;
        if (own.includes(comment.id)) continue;
        const { user, body, html_url: url, issue_url: issue, pull_request_url: of = issue } = comment;
        const event = `#${of.split('/').at(-1)}: ${user?.login} has commented: ${cut(body, 500)}`;
        provider.push({ stream: 'github-comments', level: 'surface', event, metadata: { url } });
        await sleep(250, undefined, { ref: false }); // the gateway takes ten events a second
      }
      said = undefined;
    } catch ({ message }) {
      if (message !== said) console.error(`new comments are not seen: ${message}`);
      said = message;
    }
  }
}

const provider = createProvider('github', { session: 'all', tools });
provider.onDidChangeState(({ kind }) => console.log(kind));
for (const path of ['/issues/comments', '/pulls/comments']) void watch(path);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => provider.close());
