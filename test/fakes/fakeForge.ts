/**
 * A repository with a remote that behaves like one of a host with pull requests: a real one in a folder, for which the user's own configuration of Git
 * has an address at `forge.example`. A fake `gh` can stand on the PATH.
 */
import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export const URL_OF_FORGE = 'https://me:t0ken@forge.example/me/shop.git';

export interface GhCall {
  args: string[];
  body: string;
  isInRepository: boolean;
  /** It got the token for any host. */
  token: boolean;
}

const POST_RECEIVE = `#!/bin/sh
while read old new ref; do
  echo
  echo "Create a pull request for it by visiting:"
  echo "     https://forge.example/me/shop/pull/new/\${ref#refs/heads/}"
  echo "To find out about vulnerabilities, visit: https://forge.example/me/shop/security"
done
`;

export class FakeForge {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-forge-')));
  /** The work tree. */
  readonly folder = join(this.base, 'shop');
  /** The remote. */
  readonly bare = join(this.base, 'forge', 'me', 'shop.git');
  readonly #before = { ...process.env };

  /** Of this process, until {@link remove}. */
  static make(): FakeForge {
    const forge = new FakeForge();
    const { base, folder, bare } = forge;
    mkdirSync(bare, { recursive: true });
    mkdirSync(folder);
    const config = join(base, 'gitconfig');
    writeFileSync(
      config,
      `[user]\nname = Me\nemail = me@example.org\n[init]\ndefaultBranch = main\n[url "${join(base, 'forge')}/"]\ninsteadOf = https://me:t0ken@forge.example/\n`,
    );
    Object.assign(process.env, { GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1', GH_ENTERPRISE_TOKEN: 'secret' });
    forge.inBare('init', '--quiet', '--bare');
    mkdirSync(join(bare, 'hooks'), { recursive: true });
    writeFileSync(join(bare, 'hooks/post-receive'), POST_RECEIVE, { mode: 0o755 });
    forge.git('init', '--quiet');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    forge.git('add', '.');
    forge.git('commit', '--quiet', '-m', 'first');
    forge.git('remote', 'add', 'origin', URL_OF_FORGE);
    forge.git('push', '--quiet', 'origin', 'main');
    return forge;
  }

  git(...args: string[]): string {
    const options: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync(
      'git',
      ['-C', this.folder, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args],
      options,
    ).trim();
  }

  inBare(...args: string[]): string {
    return execFileSync('git', ['-C', this.bare, ...args], { encoding: 'utf8' }).trim();
  }

  /** Branches of the remote. */
  heads(): string {
    return this.inBare('for-each-ref', '--format=%(refname:short)', 'refs/heads');
  }

  addGh(does: 'opens' | 'fails' | 'signedOut' = 'opens'): void {
    const bin = join(this.base, 'bin');
    mkdirSync(bin, { recursive: true });
    const script = `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'auth') process.exit(${does === 'signedOut' ? 1 : 0});
const call = { args, body: fs.readFileSync(0, 'utf8'), isInRepository: fs.existsSync('.git'), token: 'GH_ENTERPRISE_TOKEN' in process.env };
fs.appendFileSync(${JSON.stringify(this.#calls)}, JSON.stringify(call) + '\\n');
const address = 'https://forge.example/me/shop/pull/7';
if (${does === 'fails'}) {
  console.error('a pull request for branch "night" already exists:\\n' + address);
  process.exit(1);
}
console.error('Creating pull request for night into main in me/shop');
console.log(address);
`;
    writeFileSync(join(bin, 'gh'), script, { mode: 0o755 });
    if (!process.env['PATH']?.startsWith(bin)) process.env['PATH'] = `${bin}${delimiter}${process.env['PATH']}`;
  }

  ghCalls(): GhCall[] {
    const lines = readFileSync(this.#calls, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as GhCall);
  }

  remove(): void {
    for (const name of ['PATH', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM', 'GH_ENTERPRISE_TOKEN']) {
      const before = this.#before[name];
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
    }
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  get #calls(): string {
    return join(this.base, 'gh-calls');
  }
}
