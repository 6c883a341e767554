import assert from 'node:assert/strict';
import type { ProjectProviderConfig } from '../../tap/owner/config/tapConfig.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import { projectOf } from './project.ts';
import { shownProject } from './shownProject.ts';

const show = (provider: Partial<ProjectProviderConfig>) =>
  shownProject(
    projectOf('/work/app', '/work/app/tap.config.json', {
      providers: [{ name: 'ci', command: 'node', args: [], env: {}, ...provider }],
      emitters: [],
    }),
  );

describe('What the user is shown of project providers', () => {
  it('is the whole of what runs', () => {
    const text = show({ args: ['tools/ci.mjs', '--fast now', ''], cwd: 'tools', env: { MODE: 'fast', 'A B': '' } });
    const shown = text.slice(text.indexOf('Provider 1')).trimEnd();
    assert.equal(
      shown,
      `Provider 1: "ci"
    program "node"
    argument 1 "tools/ci.mjs"
    argument 2 "--fast now"
    argument 3 ""
    runs in "/work/app/tools"
    variable "MODE" = "fast"
    variable "A B" = ""`,
    );
    assert.match(text, /^One program is named in\n {4}"\/work\/app\/tap\.config\.json"\n/);
    assert.match(show({ cwd: '/work/app/tools' }), /runs in "\/work\/app\/tools"/, 'as the gateway resolves it');
    assert.match(show({}), /no arguments\n {4}runs in "\/work\/app"\n {4}no variables of its own/);
  });

  it('hides nothing and reorders nothing', () => {
    const text = show({
      args: ['a\u202eb\u200b', '\u05d0', 'line\nbreak', 'tab\t', 'end ', 'a\u00a0b', '\ud800', '\u{e0041}', 'q"\\u{202e}'],
    });
    for (const shown of [
      '"a\\u{202e}b\\u{200b}"',
      '"\\u{5d0}"',
      '"line\\nbreak"',
      '"tab\\t"',
      '"end "',
      '"a\\u{a0}b"',
      '"\\ud800"',
      '"\\u{e0041}"',
      '"q\\"\\\\u{202e}"',
    ])
      assert.ok(text.includes(shown), shown);
    assert.doesNotMatch(text.replaceAll('…', '').replaceAll('\n', ''), /[^\x20-\x7e]/);
  });

  it('shows long values in full, in lines that an editor draws', () => {
    const value = Array.from({ length: 1000 }, (_, at) => `${at}`).join(',');
    const lines = show({ args: [value] }).split('\n');
    assert.ok(lines.every(({ length }) => length < 200));
    const from = lines.findIndex((line) => line.includes('argument 1'));
    const to = lines.findIndex((line) => line.includes('runs in'));
    assert.equal(
      lines
        .slice(from, to)
        .map((line) => JSON.parse(line.slice(line.indexOf('"'))) as string)
        .join(''),
      value,
    );
  });

  it('is the whole of what watches something', () => {
    const emitters: EmitterSpec[] = [
      {
        ...{ name: 'tests', command: 'npm test -- --watch', cwd: 'sub/../app', stream: 'ci', runInterval: ['1m', '5m'], maxRuns: 3 },
        eventFilter: [
          { match: '^FAIL', outcome: 'inject' },
          { match: '\u202e', outcome: 'drop' },
        ],
        ...{ includeStderr: true, ownership: 'modelOwned', autoStart: false, injector: false, description: 'the tests' },
      },
      { name: 'log', command: 'tail -f x' },
      { name: 'ask', prompt: 'Look at it', runInterval: 'idle' },
    ];
    const text = shownProject(projectOf('/a', '/a/tap.config.json', { providers: [], emitters }));
    assert.match(text, /^3 emitters are named in\n/);
    assert.doesNotMatch(text, /lend tools/);
    assert.equal(
      text.slice(text.indexOf('Emitter 1')).trimEnd(),
      `Emitter 1: "tests"
    command "npm test -- --watch"
    runs in the folder of the session, in "sub/../app"
    runs at once and again after "1m", then "5m"
    at most 3 times
    lines are given to the agent that match "^FAIL"
    other lines are dropped that match "\\u{202e}"
    all other lines are kept
    lines on its standard error too
    fills the stream "ci"
    the agent may change and stop it without asking you
    waits until you run it
    lines for the agent wait until you switch its injector on
    is said to be for "the tests"


Emitter 2: "log"
    command "tail -f x"
    runs in the folder of the session, in "."
    runs until it ends
    its lines are kept


Emitter 3: "ask"
    prompt "Look at it"
    is sent each time the session becomes idle`,
    );
    assert.match(shownProject(projectOf('/a', '/a/x', { providers: [], emitters: emitters.slice(1, 2) })), /^One emitter is named in/);
  });

  it('differs with everything that an emitter says', () => {
    const base: EmitterSpec = { name: 'e', command: 'x', lifespan: 'persistent' };
    const changes: Partial<EmitterSpec>[] = [
      ...[{}, { name: 'f' }, { command: 'y' }, { command: undefined, prompt: 'x' }, { cwd: 'x' }, { stream: 's' }, { runInterval: '1m' }],
      ...[{ runInterval: ['1m'] }, { eventFilter: [{ match: 'x', outcome: 'drop' as const }] }, { runInterval: '1m', maxRuns: 2 }],
      ...[{ eventFilter: [{ match: 'x', outcome: 'inject' as const }] }, { includeStderr: true }, { description: 'x' }],
      ...[{ ownership: 'modelOwned' as const }, { autoStart: false }, { injector: false }],
    ];
    const projects = changes.map((change) => projectOf('/a', '/a/x', { providers: [], emitters: [{ ...base, ...change }] }));
    assert.equal(new Set(projects.map(({ digest }) => digest)).size, changes.length);
    // A list of one interval is the same as the interval.
    assert.equal(new Set(projects.map(shownProject)).size, changes.length - 1);
  });

  it('is asked about again when anything of it changes', () => {
    const digests = new Set(
      [
        {},
        { name: 'cd' },
        { command: 'node2' },
        { args: ['x'] },
        { args: ['x', ''] },
        { cwd: 'x' },
        { env: { A: 'x' } },
        { env: { A: 'y' } },
      ].map(
        (change) =>
          projectOf('/a', '/a/x', { providers: [{ name: 'ci', command: 'node', args: [], env: {}, ...change }], emitters: [] }).digest,
      ),
    );
    assert.equal(digests.size, 8);
    const providers = [{ name: 'ci', command: 'node', args: [], env: {} }];
    assert.notEqual(
      projectOf('/a', '/a/x', { providers, emitters: [] }).digest,
      projectOf('/b', '/b/x', { providers, emitters: [] }).digest,
    );
  });
});
