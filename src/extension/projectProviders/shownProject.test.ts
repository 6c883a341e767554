import assert from 'node:assert/strict';
import type { ProjectProviderConfig } from '../../tap/owner/tapConfig.ts';
import { projectOf } from './project.ts';
import { shownProject } from './shownProject.ts';

const show = (provider: Partial<ProjectProviderConfig>) =>
  shownProject(projectOf('/work/app', '/work/app/tap.config.json', [{ name: 'ci', command: 'node', args: [], env: {}, ...provider }]));

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
      ].map((change) => projectOf('/a', '/a/x', [{ name: 'ci', command: 'node', args: [], env: {}, ...change }]).digest),
    );
    assert.equal(digests.size, 8);
    const providers = [{ name: 'ci', command: 'node', args: [], env: {} }];
    assert.notEqual(projectOf('/a', '/a/x', providers).digest, projectOf('/b', '/b/x', providers).digest);
  });
});
