import assert from 'node:assert/strict';
import { entryNames } from './entryNames.ts';

const TEXT = `{
  "models": { "driving": "fast", "good": "slow" },
  "promptVariables": { "style": ["Write $user-in| well."] },
  "hosts": { "build box": {} },
  "tasks": {
    "look": { "model": { "category": "dri" }, "host": "", "prompt": ["Look $sty at it.", "Say job_boo or not"], "requireUserInput": false },
    "write \\"it\\"": { "availability": { "previousTasks": ["lo"] }, "criteria": { "condition": ["$"] } }
  },
  "jobs": { "Night": { "work": { "kind": "Ref", "taskId":  } } },
  "grid": [{ "keyword": "k", "jobs": [{ "name": "n", "jobName": "Ni" }] }]
}`.replace('|', '');

/** What is offered where the text goes on after these words, and what it stands in for. */
function offered(words: string, text = TEXT): [names: string[], replaced: string] | undefined {
  const at = text.indexOf(words);
  assert.ok(at >= 0, words);
  const found = entryNames(text, at + words.length);
  return found && [found.names.map(({ name }) => name), text.slice(found.offset, found.offset + found.length)];
}

describe('the names that an entry has', () => {
  const tasks = ['look', 'write "it"'];

  it('stand in for the string at the place, or where there is none yet', () => {
    assert.deepEqual(offered('"previousTasks": ["lo'), [tasks, '"lo"']);
    assert.deepEqual(offered('"previousTasks": ["'), [tasks, '"lo"']);
    assert.deepEqual(offered('"taskId": '), [tasks, '']);
    assert.deepEqual(offered('"jobName": "N'), [['Night'], '"Ni"']);
    assert.deepEqual(offered('"category": "dri'), [['driving', 'good'], '"dri"']);
    assert.deepEqual(offered('"host": "'), [['build box'], '""']);
  });

  it('are variables after a $ in a prompt, with those of a run', () => {
    const own = ['$style', '$user-input', '$task-model', '$reported-document', '$reported-true-reason', '$reported-false-reason'];
    assert.deepEqual(offered('Look $st'), [own, '$sty']);
    assert.deepEqual(offered('"condition": ["$'), [own, '$']);
    assert.deepEqual(offered('Write $user-'), [own, '$user-in']);
  });

  it('are tools in a prompt, once their name is begun', () => {
    const tools = ['job_prepare_document', 'job_boolean_true', 'job_boolean_false', 'job_prerequisite_failed'];
    assert.deepEqual(offered('Say job_b'), [tools, 'job_boo']);
    assert.equal(offered('Say jo'), undefined);
  });

  it('are none elsewhere', () => {
    for (const words of ['"fast', '"keyw', '"name": "n', '"kind": "R', 'Look ', '"tasks": {\n'])
      assert.equal(offered(words), undefined, words);
    assert.equal(entryNames(' '.repeat(2_000_000), 5), undefined);
    assert.deepEqual(entryNames('{"jobs": {"a": {"work": {"kind": "Ref", "taskId": "', 51)?.names, []);
  });
});
