/** The machine-readable twin of AHP 1.0's reference, as JSON Schemas. It has a notation of its own for types. */
import { Ajv } from 'ajv';
import { sharedJson } from './shared.ts';

type Fields = Record<string, string>;
type Shape =
  | { kind: 'struct'; ext: string[]; fields: Fields }
  | { kind: 'union'; tag: string; members: Record<string, Fields> }
  | { kind: 'alias'; type: string }
  | { kind: 'enum' }
  | { kind: 'bitset' };
export interface Wire {
  shapes: Record<string, Record<string, Shape>>;
  actions: Record<string, { clientDispatchable: boolean; fields: Fields }>;
  commands: Record<string, { direction: string; params: Fields }>;
  notifications: Record<string, Fields>;
  errors: Record<string, string>;
}

export function wireOf(dir: string): Wire {
  return sharedJson(dir, 'spec/agent-host-0.9/wire-0.9.0.json') as Wire;
}

type Schema = Record<string, unknown>;
const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
const names: Record<string, Schema> = {
  string: { type: 'string' },
  uri: { type: 'string' },
  iso: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  true: { const: true },
  false: { const: false },
  null: { type: 'null' },
  any: {},
  meta: { type: 'object' },
  primitive: { type: ['string', 'number', 'boolean', 'null'] },
};

/** Reads a type of the notation: names, literals, `T[]`, `map<T>`, `{a:T,b?:T}`, `(T)`, and unions of these. */
class TypeReader {
  #at = 0;
  constructor(private readonly text: string) {}

  type(): Schema {
    const members = [this.#member()];
    while (this.#take('|')) members.push(this.#member());
    // Enumerations are open.
    if (members.length > 1 && members.every((member) => typeof member.const === 'string')) return { type: 'string' };
    return members.length === 1 ? (members[0] as Schema) : { anyOf: members };
  }

  #member(): Schema {
    let schema = this.#single();
    while (this.#take('[]')) schema = { type: 'array', items: schema };
    return schema;
  }

  #single(): Schema {
    if (this.#take('(')) return this.#until(')', this.type());
    if (this.#take('map<')) return this.#until('>', { type: 'object', additionalProperties: this.type() });
    if (this.#take('Partial<')) {
      this.type();
      return this.#until('>', { type: 'object' });
    }
    if (this.#take("'")) return this.#until("'", { const: this.#match(/^[^']+/) });
    if (this.#take('{')) return this.#object();
    const name = this.#match(/^\w+/);
    return names[name] ?? ref(name);
  }

  #object(): Schema {
    const fields: Fields = {};
    while (!this.#take('}')) {
      const key = this.#match(/^\w+\??(?=:)/);
      this.#take(':');
      const start = this.#at;
      this.type();
      fields[key] = this.text.slice(start, this.#at);
      this.#take(',');
    }
    return objectSchema(fields);
  }

  #take(token: string): boolean {
    const found = this.text.startsWith(token, this.#at);
    if (found) this.#at += token.length;
    return found;
  }

  #match(pattern: RegExp): string {
    const [found] = pattern.exec(this.text.slice(this.#at)) ?? [];
    if (found === undefined) throw new Error(`${this.#at} of ${this.text}`);
    this.#at += found.length;
    return found;
  }

  #until(token: string, schema: Schema): Schema {
    if (!this.#take(token)) throw new Error(`${token} at ${this.#at} of ${this.text}`);
    return schema;
  }
}

const schemaOf = (type: string): Schema => new TypeReader(type).type();

function objectSchema(fields: Fields, more: Schema[] = []): Schema {
  const own = Object.entries(fields).filter(([key]) => !key.startsWith('...'));
  const spread = Object.entries(fields).flatMap(([key, type]) => (key.startsWith('...') ? [ref(type)] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(([key, type]) => [key.replace('?', ''), schemaOf(type)])),
    required: own.flatMap(([key]) => (key.endsWith('?') ? [] : [key])),
    ...(spread.length + more.length > 0 && { allOf: [...spread, ...more] }),
  };
}

function shapeSchema(shape: Shape): Schema {
  switch (shape.kind) {
    case 'struct':
      return objectSchema(shape.fields, shape.ext.map(ref));
    case 'union': {
      const { tag, members } = shape;
      return {
        type: 'object',
        required: [tag],
        properties: { [tag]: { type: 'string' } },
        allOf: Object.entries(members).map(([value, fields]) => ({
          if: { properties: { [tag]: { const: value } } },
          then: objectSchema(fields),
        })),
      };
    }
    case 'alias':
      return schemaOf(shape.type);
    case 'enum':
      return { type: 'string' };
    case 'bitset':
      return { type: 'integer' };
  }
}

/** The forms of an action, which may be one, and the notifications, each by its name. */
function messageSchemas({ actions, notifications }: Wire): Record<string, Schema> {
  const forms = new Map<string, Schema[]>();
  for (const [name, { fields }] of Object.entries(actions)) {
    const [type = ''] = name.split('#');
    forms.set(type, [...(forms.get(type) ?? []), objectSchema(fields)]);
  }
  return {
    ...Object.fromEntries([...forms].map(([type, schemas]) => [`action ${type}`, { anyOf: schemas }])),
    ...Object.fromEntries(Object.entries(notifications).map(([method, fields]) => [`notification ${method}`, objectSchema(fields)])),
  };
}

/** Actions of 1.0.0 that the reference, which is that of 0.9.0, does not have. */
const addedLater: Record<string, Schema> = {
  'action chat/isReadChanged': { type: 'object', required: ['isRead'], properties: { isRead: { type: 'boolean' } } },
  'action chat/backgroundWorkRemoved': { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  'action chat/backgroundWorkSet': {
    type: 'object',
    required: ['work'],
    properties: {
      work: {
        type: 'object',
        required: ['id', 'label', 'startedAt'],
        properties: { id: { type: 'string' }, label: { type: 'string' }, startedAt: { type: 'string' } },
        anyOf: [
          { required: ['command'], properties: { kind: { const: 'shell' }, command: { type: 'string' }, terminal: { type: 'string' } } },
          { required: ['chat'], properties: { kind: { const: 'subagent' }, chat: { type: 'string' } } },
        ],
      },
    },
  },
};

/**
 * Says what is wrong with a value of a shape, or of `action <type>` or `notification <method>`; undefined when it fits. Members and values that
 * the reference does not know are allowed.
 */
export function wireValidator(wire: Wire): (shape: string, value: unknown) => string | undefined {
  const definitions = {
    ...Object.fromEntries(
      Object.values(wire.shapes).flatMap((room) => Object.entries(room).map(([name, shape]) => [name, shapeSchema(shape)])),
    ),
    ...messageSchemas(wire),
    ...addedLater,
  };
  const ajv = new Ajv({ strict: false });
  ajv.addSchema({ definitions }, 'wire');
  return (shape, value) => {
    const fits = ajv.validate(`wire#/definitions/${encodeURIComponent(shape.replaceAll('/', '~1'))}`, value);
    return fits ? undefined : ajv.errorsText();
  };
}
