// VS Code loads this as the extension tests. It sends all output to the launcher's file and runs the real suite.
const { openSync, writeFileSync, writeSync } = require('node:fs');
const { format } = require('node:util');

exports.run = async function run() {
  const outputFile = process.env.TAPLINE_TESTS_OUTPUT;
  const fd = openSync(outputFile, 'a');
  // The setters of VS Code's console methods do nothing, so use defineProperty.
  for (const method of ['log', 'info', 'debug', 'warn', 'error']) {
    Object.defineProperty(console, method, { configurable: true, writable: true, value: (...args) => void writeSync(fd, `${format(...args)}\n`) });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk, encoding, callback) => {
      writeSync(fd, chunk);
      (typeof encoding === 'function' ? encoding : callback)?.();
      return true;
    };
  }
  let result = '1';
  try {
    await require(process.env.TAPLINE_TESTS).run();
    result = '0';
  } catch (error) {
    writeSync(fd, `${error?.stack ?? error}\n`);
    throw error;
  } finally {
    writeFileSync(`${outputFile}.result`, result);
  }
};
