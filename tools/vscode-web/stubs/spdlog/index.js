// The real module is native and would have to be compiled. This one appends the same lines to the same files, so that
// log output channels work. It does not rotate files, because our runs are short.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class FileLogger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 0;
    this.format = (level, text) => `${new Date().toISOString().slice(0, 23).replace('T', ' ')} [${LEVELS[level]}] ${text}\n`;
    mkdirSync(dirname(file), { recursive: true });
  }
  append(level, text) {
    if (level < this.level) return;
    try {
      appendFileSync(this.file, this.format(level, text));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // the folder is already deleted: VS Code is shutting down
    }
  }
  clearFormatters() {
    this.format = (_level, text) => text;
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  flush() {}
  drop() {}
}
['trace', 'debug', 'info', 'warn', 'error', 'critical'].forEach((method, level) => {
  FileLogger.prototype[method] = function write(text) {
    this.append(level, text);
  };
});

const open = async (name, file) => new FileLogger('rotating', name, file);
// One assignment each, because Node finds the names of a CommonJS module by reading assignments.
exports.version = 10800;
exports.Logger = FileLogger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = open;
exports.createAsyncRotatingLogger = open;
