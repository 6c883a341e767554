// Mocha's spec reporter that also writes what each file has brought, and in how many milliseconds, to the file of TAPLINE_TEST_COUNTS, from which all suites are summed up.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const out = process.env.TAPLINE_TEST_COUNTS;
    if (!out) return;
    const byFile = new Map();
    const of = (test) => {
      const file = test.file ? relative(process.cwd(), test.file) : '';
      if (!byFile.has(file)) byFile.set(file, { file, ms: 0, passed: 0, failed: 0, skipped: 0, failures: [] });
      return byFile.get(file);
    };
    const isOfFile = (suite) => suite.parent?.root;
    let begin = 0;
    runner.on('suite', (suite) => {
      if (isOfFile(suite)) begin = Date.now();
    });
    runner.on('suite end', (suite) => {
      if (isOfFile(suite)) of(suite).ms += Date.now() - begin;
    });
    runner.on('pass', (test) => of(test).passed++);
    runner.on('pending', (test) => of(test).skipped++);
    runner.on('fail', (test, error) => {
      const counts = of(test);
      counts.failed++;
      counts.failures.push(`${test.fullTitle()}\n${error.stack ?? error.message ?? error}`);
    });
    runner.once('end', () => writeFileSync(out, JSON.stringify([...byFile.values()])));
  }
};
