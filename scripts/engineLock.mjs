// The lock file with which the Copilot engine is installed: the part of the repository's own that the engine needs.
const ENGINE_PACKAGE = '@github/copilot-sdk';

/**
 * The manifest and the lock file of an installation of nothing but the engine, from the repository's lock file. Throws where that lacks a
 * dependency, or has one of its own version below the engine.
 */
export function engineInstallation({ lockfileVersion, packages }) {
  const needed = {};
  const pending = [ENGINE_PACKAGE];
  for (let name; (name = pending.pop()) !== undefined;) {
    const path = `node_modules/${name}`;
    if (needed[path]) continue;
    if (!packages[path]) throw new Error(`package-lock.json lacks ${name}, which the engine needs`);
    if (Object.keys(packages).some((other) => other.startsWith(`${path}/node_modules/`)))
      throw new Error(`package-lock.json has packages below ${name}, which the lock file of the engine would leave out`);
    const { dev: _dev, funding: _funding, ...entry } = packages[path];
    needed[path] = entry;
    pending.push(...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }));
  }
  const name = 'tapline-engine';
  const dependencies = { [ENGINE_PACKAGE]: needed[`node_modules/${ENGINE_PACKAGE}`].version };
  return {
    manifest: { name, private: true, dependencies },
    lock: { name, lockfileVersion, requires: true, packages: { '': { name, dependencies }, ...needed } },
  };
}

/** What is installed by its version alone: the registry of whoever wrote the lock file did not have it. */
export function withoutIntegrity({ packages }) {
  return Object.keys(packages).filter((path) => path !== '' && packages[path].integrity === undefined);
}
