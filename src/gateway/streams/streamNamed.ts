/** The stream that is meant by its name alone, or with the name of its provider. */
import type { StreamItem, Streams } from './streams.ts';
import { tapStreams } from './tapStreams.ts';

/** `items`: newest first. `isCut`: older ones were forgotten. `error`: which one is meant is not clear, or there is none. */
export type NamedStream = { readonly provider: string; readonly items: StreamItem[]; readonly isCut: boolean } | { readonly error: string };

export function streamNamed(streams: Streams, stream: string, provider: string | undefined, last: number): NamedStream {
  const named = streams.all().filter(({ name }) => name === stream);
  const owners = [...new Set(named.map(({ owner }) => owner.name))];
  const [only, ...more] = owners.includes(tapStreams.name) ? [tapStreams.name] : owners;
  if (provider === undefined && more.length)
    return {
      error: `several providers have a stream ${JSON.stringify(stream)}: name one as provider, of ${owners.map((name) => JSON.stringify(name)).join(', ')}`,
    };
  const meant = provider ?? only ?? '';
  const items = streams.readNamed(meant, stream, last);
  if (items) return { provider: meant, items, isCut: named.some(({ owner, isCut }) => owner.name === meant && isCut) };
  return {
    error: `there is no stream ${JSON.stringify(provider === undefined ? stream : `${stream}@${provider}`)}: see tap_list_streams`,
  };
}
