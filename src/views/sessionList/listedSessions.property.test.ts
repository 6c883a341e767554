/** A tree that remembers the last one is the tree that would be made from nothing, whatever has happened to the list. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { v1Dialect } from '../../ahp/dialects/v1/v1Dialect.ts';
import { sessionNodeId } from './listedSessions.ts';
import { NO_FILTER } from './sessionFilter.ts';
import { groupedTree } from './sessionGroups.ts';
import { type HostInput, type KnownSessions, sessionTree } from './sessionTree.ts';
import type { SessionsNode } from './sessionRows.ts';
import { updatedTree } from '../tree/treeChanges.ts';
import { runs } from '../../../test/support/runs.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

const uri = fc.constantFrom('a:/1', 'a:/2', 'a:/3', 'a:/3/subagent/4');
const summary: fc.Arbitrary<SessionSummary> = fc.record({
  resource: uri,
  provider: fc.constantFrom('demo', 'copilot'),
  title: fc.constantFrom('One', 'Two'),
  status: fc.constantFrom(1, 8, 33, 65),
  createdAt: fc.constant(''),
  modifiedAt: fc.nat(90).map((minutes) => new Date(NOW - minutes * MINUTE).toISOString()),
  workingDirectories: fc.constantFrom([], ['file:///home/ada/one'], ['file:///home/ada/two']),
});
const step = fc.record({
  /** What stands in a place of the list now, is new at its beginning, or leaves it. */
  put: fc.option(fc.tuple(fc.nat(3), summary)),
  first: fc.option(summary),
  drop: fc.option(fc.nat(3)),
  minutes: fc.constantFrom(0, 0, 1, 30, -5),
  running: fc.dictionary(uri, fc.nat(2), { maxKeys: 2 }),
  hidden: fc.subarray(['a:/1', 'a:/2']),
  showArchived: fc.boolean(),
  agents: fc.subarray(['demo'], { maxLength: 1 }),
  connected: fc.boolean(),
});
/** In a list of a host every address is there once. */
const unique = (list: SessionSummary[]) => [...new Map(list.map((one) => [one.resource, one])).values()];

describe('The tree of sessions that are known', () => {
  it('is that of sessions that nobody has seen before', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), fc.constantFrom('project' as const, 'date' as const), (steps, groupBy) => {
        const known: KnownSessions = new Map();
        let [sessions, rows, now]: [SessionSummary[], SessionsNode[], number] = [[], [], NOW];
        for (const { put, first, drop, minutes, running, hidden, showArchived, agents, connected } of steps) {
          if (put) sessions = sessions.length > put[0] ? sessions.with(put[0], put[1]) : [...sessions, put[1]];
          if (first) sessions = [first, ...sessions];
          sessions = unique(drop === null ? sessions : sessions.filter((_, at) => at !== drop));
          now += minutes * MINUTE;
          const connection = { connected, failed: false, text: '' };
          const host: HostInput = {
            ...{ id: 'h', label: 'H', connection, sessions, listed: true, topSession: v1Dialect.topSession },
            running: new Map(Object.entries(running)),
          };
          const filter = { ...NO_FILTER, agents };
          const options = { showArchived, filter, now, hidden: new Set(hidden.map((one) => sessionNodeId('h', one))) };
          const pinned = new Set([sessionNodeId('h', 'a:/2')]);
          const fresh = sessionTree([{ ...host, sessions: structuredClone(sessions) }], options);
          const tree = sessionTree([host], options, known);
          assert.deepEqual(tree, fresh);
          rows = updatedTree(rows, groupedTree(tree, { groupBy, pinned, now })).rows;
          assert.deepEqual(rows, groupedTree(fresh, { groupBy, pinned, now }));
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
