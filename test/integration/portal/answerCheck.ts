/** Compares what a portal answers with its OpenAPI document. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../src/portal/api/openApiDocument.ts';

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
  const?: string;
}
interface Documented {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Partial<Record<'get' | 'post', { responses: Record<string, unknown> }>>>;
}
interface Answer {
  error?: unknown;
  result?: unknown;
  responses?: { error?: unknown }[];
}

const ROOT = 'portal';
const pointer = (...parts: string[]) => parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

export class AnswerCheck {
  readonly document: Documented;
  /** Of each path of the document: names of the errors that it answered with, `OK`, and the statuses other than 200. */
  readonly seen = new Map<string, Set<string>>();
  readonly #ajv = new Ajv2020({ strict: false, formats: { uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ } });

  constructor(withTests: boolean) {
    this.document = openApiDocument(withTests) as unknown as Documented;
    this.#ajv.addSchema(this.document, ROOT);
  }

  /** Of a response whose body was not read. It is still unread then. */
  async check(method: string, path: string, response: Response): Promise<void> {
    const { pathname } = new URL(path, 'http://portal.invalid');
    if (!pathname.startsWith('/api/')) return;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) this.#sees(this.#route(method, pathname, response.status, 'text/event-stream').path, ['OK']);
    else this.checkAnswer(method, pathname, response.status, await response.clone().json());
  }

  checkAnswer(method: string, pathname: string, status: number, answer: unknown): void {
    const is = this.#route(method, pathname, status, 'application/json');
    assert.ok(
      is.validate(answer),
      `${method} ${pathname}: ${status} ${JSON.stringify(answer)} is not as documented: ${this.#ajv.errorsText(is.validate.errors)}`,
    );
    this.#sees(is.path, status === 200 ? names(answer as Answer) : [String(status)]);
  }

  /** What the path may answer with: `OK` or other results, and names of errors. */
  documentedAnswers(path: string): string[] {
    const answer = this.document.paths[path]?.post?.responses['200'] as { content: Record<string, { schema: Schema }> };
    return [...new Set(Object.values(answer.content).flatMap(({ schema }) => this.#namesOf(schema)))];
  }

  #sees(path: string | undefined, given: readonly string[]): void {
    if (path === undefined) return;
    const seen = this.seen.get(path) ?? new Set();
    this.seen.set(path, seen);
    for (const name of given) seen.add(name);
  }

  #namesOf(schema: Schema): string[] {
    const { $ref, anyOf = [], oneOf = [], properties = {} } = schema;
    if ($ref) return this.#namesOf(this.document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
    const { error, result, responses } = properties;
    if (responses?.items) return this.#namesOf(responses.items);
    if (anyOf.length + oneOf.length > 0) return [...anyOf, ...oneOf].flatMap((one) => this.#namesOf(one));
    const named = result && result.const !== 'Closed' ? result : error;
    const all = named?.enum ?? (named?.const === undefined ? [] : [named.const]);
    return all.length > 0 ? all : ['OK'];
  }

  /** What a server-sent event, or anything else of that name, must be. */
  assertShape(id: string, value: unknown): void {
    const validate = this.#compiled(`components/schemas/${pointer(id)}`);
    assert.ok(validate(value), `${JSON.stringify(value)} is no ${id}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #route(method: string, pathname: string, status: number, type: string): { path?: string; validate: ValidateFunction } {
    const path = this.#documented(pathname);
    // No route has answered.
    if (status === 405) {
      assert.ok(!this.#operation(method, path), `${method} ${pathname}`);
      return { validate: this.#compiled('components/schemas/MethodNotAllowed') };
    }
    if (path === undefined) {
      const problem = ({ 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 400: 'BadRequest' } as Record<number, string>)[status];
      assert.ok(problem, `${method} ${pathname}: the document has no such path, and the status is ${status}`);
      return { validate: this.#compiled(`components/schemas/${problem}`) };
    }
    const documented = this.#operation(method, path)?.responses[status] as { $ref?: string; content?: object } | undefined;
    assert.ok(documented, `${method} ${path}: the document has no status ${status}`);
    const at = documented.$ref?.slice(2) ?? pointer('paths', path, method.toLowerCase(), 'responses', String(status));
    return { path, validate: this.#compiled(`${at}/content/${pointer(type)}/schema`) };
  }

  #operation(method: string, path = '') {
    return this.document.paths[path]?.[method.toLowerCase() as 'get'];
  }

  #compiled(at: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`${ROOT}#/${at}`);
    assert.ok(validate, `the document has no ${at}`);
    return validate;
  }

  /** Of paths that fit, the one in which the first difference is not a parameter, as the server chooses. */
  #documented(pathname: string): string | undefined {
    const fitting = Object.keys(this.document.paths).filter((path) =>
      new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
    return fitting.sort((a, b) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))[0];
  }
}

function names({ error, result, responses }: Answer): string[] {
  if (responses) return responses.map((one) => String(one.error ?? 'OK'));
  return [String(result === undefined || result === 'Closed' ? (error ?? 'OK') : result)];
}
