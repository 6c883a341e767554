/** Several readers may ask for one resource, and not all of them need to be right about what it is. The state tells. */
import type { URI } from '../../common/shapes.ts';
import type { Dialect, ResourceKind } from '../../dialects/dialect.ts';

/** What this state is, of the kinds that were asked for, as the host's dialect calls it. Undefined when it is none of them. */
export function kindAmong(dialect: Dialect, asked: readonly ResourceKind[], uri: URI, state: object): ResourceKind | undefined {
  const fitting = asked.map((kind) => dialect.kindOf(kind)).filter((kind) => dialect.isState(kind, state));
  // Some kinds fit any state, so that who came first does not count.
  const marked = dialect.kindOfState(uri, state);
  return fitting.find((kind) => kind === marked) ?? fitting[0];
}
