/** The OpenAPI document of the HTTP interface. */
import * as z from 'zod';
import { errorShape, type Route, shape, shapes } from './route.ts';
import { allRoutes } from './routeGroups.ts';

/** What requests get that no route answers. Other methods than GET and POST get 405, and other paths 404. */
const problems = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'BodyTooLarge',
  500: 'InternalError',
  503: 'StoreUnavailable',
} as const;
/** Those that a route of the document may answer with. */
const ofRoutes = [400, 401, 403, 413, 500, 503] as const;
for (const name of Object.values(problems)) shape(name, z.strictObject({ error: z.literal(name), message: z.string() }));

type Json = Record<string, unknown>;
export type OpenApiDocument = Json & { openapi: '3.1.0' };

/** OpenAPI 3.1. `withTests`: of a portal that takes entries of tests. */
export function openApiDocument(withTests: boolean): OpenApiDocument {
  const paths = allRoutes(withTests).map((route) => [`/api${route.path}`, pathItem(route)] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapline portal',
      version: '1.0.0',
      description:
        'Tasks and jobs of agents, on this computer. What a route answers has status 200, also {"error": NAME}. GET of what changes anything needs the token in Authorization.',
    },
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: componentSchemas(),
      responses: Object.fromEntries(
        Object.entries(problems).map(([status, name]) => [name, response(`Status ${status}.`, reference('schemas', name))]),
      ),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token that the portal prints. None is needed with --without-token, but what changes anything is sent by POST then.',
        },
      },
    },
  };
}

function pathItem(route: Route): Json {
  const inPath = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inHeaders = Object.entries(route.headers ?? {}).map(([name, { description }]) => ({
    ...{ name, in: 'header', required: false, description },
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...inHeaders];
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(!route.postOnly && { get: operation(route, 'get') }),
    post: operation(route, 'post'),
  };
}

function operation(route: Route, method: 'get' | 'post'): Json {
  const name = route.path
    .split(/\W+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const { body } = route;
  return {
    operationId: `${method}${name}`,
    summary: route.summary,
    ...(route.changes && method === 'get' && { security: [{ token: [] }] }),
    ...(body &&
      method === 'post' && {
        requestBody: {
          description: body.description,
          content:
            body.format === 'text' ? content('text/plain', { type: 'string' }) : content('application/json', shapeReference(body.schema)),
        },
      }),
    responses: {
      200: { description: 'The answer.', content: answerContent(route) },
      ...Object.fromEntries(ofRoutes.map((status) => [status, reference('responses', problems[status])])),
    },
  };
}

function answerContent({ answer, errors, stream }: Route): Json {
  const own = shapeReference(answer);
  const failed = errors && withoutDialect(z.toJSONSchema(errorShape(errors)));
  if (stream) return { ...content('text/event-stream', own), ...(failed && content('application/json', failed)) };
  return content('application/json', failed ? { anyOf: [own, failed] } : own);
}

/** The shapes, under their names. */
function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(shapes, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema)]));
}

/** The dialect is that of OpenAPI 3.1, and a name is where the schema stands. */
function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema;
  return rest;
}

function shapeReference(schema: z.core.$ZodType): Json {
  const id = shapes.get(schema)?.id;
  if (id === undefined) throw new Error('the answer of a route must be a shape');
  return reference('schemas', id);
}

function reference(kind: 'schemas' | 'responses', id: string): Json {
  return { $ref: `#/components/${kind}/${id}` };
}

function response(description: string, schema: Json): Json {
  return { description, content: content('application/json', schema) };
}

function content(type: string, schema: Json): Json {
  return { [type]: { schema } };
}
