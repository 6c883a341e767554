// The real module is native and would have to be compiled. It ends a process whose parent has ended. VS Code's
// extension host also watches its parent in JavaScript, so nothing is needed here.
exports.start = function start() {};
exports.exit = function exit(code) {
  process.exit(code ?? 0);
};
