/** The reducers of both dialects, where their cases and traces are, and how states are compared with those of the reference. */
import { channelReducers } from '../../src/ahp/channels/channelReducers.ts';
import type { Reducer } from '../../src/ahp/common/reducers/reducer.ts';
import { rootReducer } from '../../src/ahp/v1/reducers/rootReducer.ts';
import { sessionReducer } from '../../src/ahp/v1/reducers/sessionReducer.ts';
import { terminalReducer } from '../../src/ahp/v1/reducers/terminalReducer.ts';

export interface Dialect {
  name: string;
  cases: string;
  traces: string;
  reducers: Record<string, Reducer<object>>;
  comparable(state: object): unknown;
}

/** In the shared cases and traces `null` stands for absent. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, field: unknown) => (field === null ? undefined : field)));
}

/** The reference of 0.9 took times from its clock, which hosts do not. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, field: unknown) => (field === null || key === 'modifiedAt' ? undefined : field)));
}

export const dialects: Dialect[] = [
  {
    name: 'AHP v1',
    cases: 'conformance/reducers-v1',
    traces: 'conformance/traces-v1.jsonl',
    reducers: { root: rootReducer, session: sessionReducer, terminal: terminalReducer } as Record<string, Reducer<object>>,
    comparable: withoutNulls,
  },
  {
    name: 'AHP 1.0',
    cases: 'conformance/reducers-0.9',
    traces: 'conformance/traces-0.9.jsonl',
    reducers: channelReducers as unknown as Record<string, Reducer<object>>,
    comparable: withoutTimes,
  },
];
