/** What answers a route. Its types are those of the route's definition. */
import type { AnswerOf, BodyOf, HeadersOf, Route, RouteGroup, RouteParams } from '../api/route.ts';
import type { PortalContext } from './routeAnswers.ts';

/** A request whose parts are checked. */
export interface RouteRequest<R extends Route> {
  readonly params: RouteParams<R>;
  readonly body: BodyOf<R>;
  readonly headers: HeadersOf<R>;
  readonly c: PortalContext;
}

export type Handler<R extends Route> = (request: RouteRequest<R>) => AnswerOf<R> | Promise<AnswerOf<R>>;
/** One for each route of the group. */
export type Handlers<G extends RouteGroup> = { readonly [Name in keyof G]: Handler<G[Name]> };
