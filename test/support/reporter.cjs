// Mocha's spec reporter that also writes its counts and what failed to the file of TAPLINE_TEST_COUNTS, from which all suites are summed up.
const { appendFileSync } = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TAPLINE_TEST_COUNTS;
    if (!file) return;
    const failed = [];
    runner.on('fail', (test, error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error.message ?? error}`));
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      appendFileSync(file, `${JSON.stringify({ passed: passes, failed: failures, skipped: pending, failures: failed })}\n`);
    });
  }
};
