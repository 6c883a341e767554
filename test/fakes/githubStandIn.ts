/**
 * Stands in for the part of GitHub's REST interface that the recipes use: over HTTP, with a token, pages, a limit of requests, and logs at another
 * server. Names and shapes are those of its public documentation.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const STAND_IN_TOKEN = 't0ken';

interface Comment {
  id: number;
  created_at: string;
  body: string;
  user: { login: string };
  html_url: string;
  issue_url?: string;
  pull_request_url?: string;
  path?: string;
  line?: number | null;
}
interface Issue {
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  user: { login: string };
  labels: { name: string }[];
  updated_at: string;
  html_url: string;
  pull_request?: object;
}
export interface WorkflowRun {
  id: number;
  workflow_id: number;
  name: string;
  run_number: number;
  run_attempt: number;
  head_branch: string;
  head_sha: string;
  head_repository: { full_name: string } | null;
  status: 'completed' | 'in_progress';
  conclusion: string | null;
  html_url: string;
}
export interface WorkflowJob {
  id: number;
  run_id: number;
  name: string;
  status: string;
  conclusion: string;
  steps: { name: string; conclusion: string }[];
}

export class GithubStandIn {
  readonly repository = 'ada/engine';
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  readonly remarks: Comment[] = [];
  readonly runs: WorkflowRun[] = [];
  readonly jobs: WorkflowJob[] = [];
  /** By job. */
  readonly logs = new Map<number, string>();
  /** Method, path and query of each request. */
  readonly asked: string[] = [];
  /** What the server of the logs was sent as `Authorization`. */
  readonly seenByLogs: (string | undefined)[] = [];
  /** It gives no more on a page, whatever is asked for. */
  pageSize = 2;
  /** Seconds that it wants to be left alone. */
  retryAfter: number | undefined;
  /** As GitHub's hourly limit: no more until then, in seconds since 1970. */
  resetAt: number | undefined;
  /** In place of its own server, in links to further pages. */
  linkOrigin: string | undefined;

  readonly #api = createServer((request, response) => void this.#answer(request, response));
  readonly #logs = createServer((request, response) => {
    this.seenByLogs.push(request.headers.authorization);
    const log = this.logs.get(Number(request.url?.slice(1)));
    response.writeHead(log === undefined ? 404 : 200).end(log);
  });
  #ids = 100;

  async start(): Promise<void> {
    for (const server of [this.#api, this.#logs]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  async stop(): Promise<void> {
    for (const server of [this.#api, this.#logs]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
  get url(): string {
    return addressOf(this.#api);
  }
  get env(): Record<string, string> {
    return { GITHUB_API_URL: this.url, GITHUB_TOKEN: STAND_IN_TOKEN, WATCH_SECONDS: '0.05' };
  }

  addIssue(title: string, more: Partial<Issue> = {}): Issue {
    const number = this.issues.length + 1;
    const common = { body: `About ${title}`, state: 'open' as const, user: { login: 'ada' }, labels: [], updated_at: timeOf(number) };
    const issue = { number, title, ...common, html_url: `https://github.example/${number}`, ...more };
    this.issues.push(issue);
    return issue;
  }
  comment(number: number, body: string, login = 'grace'): Comment {
    const comment = { ...this.#said(body, login), issue_url: `${this.url}/repos/${this.repository}/issues/${number}` };
    this.comments.push(comment);
    return comment;
  }
  remark(number: number, body: string, path: string, line: number): void {
    const url = `${this.url}/repos/${this.repository}/pulls/${number}`;
    this.remarks.push({ ...this.#said(body, 'grace'), pull_request_url: url, path, line });
  }
  #said(body: string, login: string): Comment {
    const id = ++this.#ids;
    return { id, created_at: timeOf(id), body, user: { login }, html_url: `https://github.example/comments/${id}` };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? '', this.url);
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${STAND_IN_TOKEN}`) return void json(401, { message: 'Bad credentials' });
    if (this.retryAfter !== undefined) return void json(429, { message: 'slow down' }, { 'Retry-After': String(this.retryAfter) });
    if (this.resetAt !== undefined) {
      const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(this.resetAt) };
      return void json(403, { message: 'API rate limit exceeded' }, headers);
    }
    const prefix = `/repos/${this.repository}`;
    const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : '';
    if (request.method === 'POST') {
      const [, number] = /^\/issues\/(\d+)\/comments$/.exec(path) ?? [];
      if (!number) return void json(404, { message: 'Not Found' });
      let body = '';
      for await (const chunk of request) body += String(chunk);
      return void json(201, this.comment(Number(number), (JSON.parse(body) as { body: string }).body, 'me'));
    }
    const [, job] = /^\/actions\/jobs\/(\d+)\/logs$/.exec(path) ?? [];
    if (job) return void response.writeHead(302, { Location: `${addressOf(this.#logs)}/${job}` }).end();
    const found = this.#find(path, url.searchParams);
    if (found === undefined) return void json(404, { message: 'Not Found' });
    if (!Array.isArray(found)) return void json(200, found);
    const size = Math.min(this.pageSize, Number(url.searchParams.get('per_page') ?? 30));
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = new URL(url.href.replace(url.origin, this.linkOrigin ?? url.origin));
    next.searchParams.set('page', String(page + 1));
    const isMore = found.length > page * size;
    json(
      200,
      found.slice((page - 1) * size, page * size),
      isMore ? { Link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` } : {},
    );
  }

  #find(path: string, query: URLSearchParams): unknown {
    const [, kind, id, part] = /^\/(issues|pulls|actions\/runs)(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? [];
    const number = Number(id);
    const issue = this.issues.find((one) => one.number === number);
    if (kind === 'actions/runs') {
      if (part === 'jobs') return { jobs: this.jobs.filter((job) => job.run_id === number) };
      const runs = this.runs.filter((run) => run.head_branch === query.get('branch')).reverse();
      return { workflow_runs: runs.slice(0, Number(query.get('per_page'))) };
    }
    if (part === 'comments' && id === undefined) return newSince(kind === 'pulls' ? this.remarks : this.comments, query);
    if (kind === 'issues' && id === undefined) {
      const labels = query.get('labels')?.split(',') ?? [];
      const isAsked = (one: Issue) =>
        [one.state, 'all'].includes(query.get('state') ?? 'open') && labels.every((label) => one.labels.some(({ name }) => name === label));
      return this.issues.filter(isAsked).reverse();
    }
    const of = ({ issue_url, pull_request_url }: Comment) => (issue_url ?? pull_request_url)?.endsWith(`/${number}`);
    if (!issue || (kind === 'pulls' && !issue.pull_request)) return undefined;
    if (part === 'comments') return (kind === 'pulls' ? this.remarks : this.comments).filter(of);
    if (part === 'files') return [{ filename: 'engine.ts', status: 'modified', additions: 3, deletions: 1, patch: '+1' }];
    if (kind === 'issues') return issue;
    return { ...issue, base: { ref: 'main' }, head: { ref: 'steam' }, merged: false, mergeable: true };
  }
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
/** Later for a higher number. */
const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();

function newSince(comments: readonly Comment[], query: URLSearchParams): Comment[] {
  const found = comments.filter(({ created_at }) => created_at >= (query.get('since') ?? ''));
  return query.get('direction') === 'desc' ? found.reverse() : found;
}
