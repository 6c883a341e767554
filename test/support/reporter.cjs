// Mocha's spec reporter that also writes what each file has brought, and in how many milliseconds, to the file of TAPLINE_TEST_COUNTS, from which all suites are summed up.
const { readFileSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const Mocha = require('mocha');

const TICKS_A_SECOND = 100;

/** What this process and those that it has started and seen end have taken of the processor, in milliseconds. Only Linux tells of the latter. */
function cpuMs() {
  if (process.platform !== 'linux') return Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros / 1000, 0);
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + (Number(ticks) * 1000) / TICKS_A_SECOND, 0);
}

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const out = process.env.TAPLINE_TEST_COUNTS;
    if (!out) return;
    const byFile = new Map();
    const of = (test) => {
      const file = test.file ? relative(process.cwd(), test.file) : '';
      if (!byFile.has(file)) byFile.set(file, { file, ms: 0, cpuMs: 0, passed: 0, failed: 0, skipped: 0, failures: [] });
      return byFile.get(file);
    };
    const isOfFile = (suite) => suite.parent?.root;
    let begin = 0;
    let cpuBegin = 0;
    runner.on('suite', (suite) => {
      if (!isOfFile(suite)) return;
      begin = Date.now();
      cpuBegin = cpuMs();
    });
    runner.on('suite end', (suite) => {
      if (!isOfFile(suite)) return;
      of(suite).ms += Date.now() - begin;
      of(suite).cpuMs += cpuMs() - cpuBegin;
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
