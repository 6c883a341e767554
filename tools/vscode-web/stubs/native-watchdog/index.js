// The real module is native and would have to be compiled. It ends a process whose parent has died;
// VS Code's extension host looks after its parent in JavaScript besides, so doing nothing here is enough.
exports.start = function start() {};
exports.exit = function exit(code) {
  process.exit(code ?? 0);
};
