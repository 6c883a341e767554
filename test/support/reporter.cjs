// Mocha's spec reporter that also adds its counts to the file of TAPLINE_TEST_COUNTS, from which the totals of all suites are summed.
const { appendFileSync } = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TAPLINE_TEST_COUNTS;
    if (!file) return;
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      appendFileSync(file, `${JSON.stringify({ passed: passes, failed: failures, skipped: pending })}\n`);
    });
  }
};
