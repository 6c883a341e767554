import assert from 'node:assert/strict';
import { runsLater } from './runsLater.ts';

const places = {
  workingDirectory: '/work',
  home: '/home/ada',
  own: ['/data/tapline', '/home/ada/.tapline', '/work/jobs/night.json'],
  moduleFolders: ['/work/night'],
};
const why = (path: string, workingDirectory = places.workingDirectory) => runsLater(path, { ...places, workingDirectory });
const who = (path: string, workingDirectory?: string) =>
  /^It can make (.*) run programs later$/.exec(why(path, workingDirectory) ?? '')?.[1];

describe('files that other programs take as orders', () => {
  const listed: Record<string, readonly string[]> = {
    Git: [
      ...['.git', '.git/config', '.git/hooks/pre-commit', '.git/hooks/new', '.git/worktrees/x/config.worktree', '.git/modules/m/config'],
      ...[
        'sub/.git/config',
        'bare.git/config',
        'bare/HEAD',
        'scripts/hooks/commit-msg',
        '.husky/pre-push',
        '.gitmodules',
        '.gitattributes',
      ],
      ...['.pre-commit-config.yaml', 'lefthook.yml', '.lintstagedrc.json', 'lint-staged.config.mjs', 'dotfiles/.gitconfig'],
      ...['lefthook-local.yml', '.lefthook-local.toml', 'captainhook.json', 'grumphp.yml', 'cog.toml', 'git-hooks/pre-push', 'hk.pkl'],
    ],
    'version control': ['.hg/hgrc', '.hgrc', 'sub/.svn/x', '.jj/repo/config.toml', 'mercurial.ini'],
    editors: [
      ...['.vscode/tasks.json', '.vscode/settings.json', '.vscode/launch.json', '.vscode/mcp.json', 'packages/a/.vscode/tasks.json'],
      ...['all.code-workspace', '.devcontainer/devcontainer.json', '.devcontainer.json', '.idea/workspace.xml', '.vimrc', '.exrc'],
      ...['.vs/launch.vs.json', '.run/App.run.xml', '.theia/tasks.json', '.ycm_extra_conf.py', '.local.vimrc', 'a.sublime-workspace'],
      ...['.replit', 'replit.nix', '.gitpod.yml', '.gitpod.Dockerfile', '.ipython/profile_default/startup/a.py', '.jupyter/config.py'],
    ],
    'GitHub and coding agents': [
      ...['.github/workflows/ci.yml', '.github/lsp.json', '.github/copilot/settings.json', '.github/hooks/a.json', '.claude/settings.json'],
      ...['.mcp.json', '.cursor/mcp.json', '.agents/skills/a/SKILL.md'],
      ...['.roo/mcp.json', '.cline/mcp.json', '.continue/config.yaml', '.amazonq/mcp.json', '.junie/mcp/mcp.json', '.trae/mcp.json'],
      ...['.qwen/settings.json', '.kilocode/mcp.json', '.factory/mcp.json', '.crush.json', 'crush.json', 'opencode.jsonc', 'mcp.json'],
      ...['.aider.conf.yml', 'gemini-extension.json', '.roomodes'],
    ],
    Tapline: [
      'tap.config.json',
      'night.tapline-portal.json',
      '/work/jobs/night.json',
      '/home/ada/.tapline/copilot/mcp-config.json',
      '/data/tapline/sessions/a/state.json',
      ...['night/tasks.mjs', 'night/lib/tasks', 'NIGHT/a.TS'],
    ],
    'build servers': [
      ...['.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', 'azure-pipelines.yaml', '.teamcity/settings.kts', '.tekton/run.yaml'],
      ...[
        '.builds/a.yml',
        '.build.yml',
        'cloudbuild.yaml',
        'buildspec.yml',
        'codemagic.yaml',
        'bitrise.yml',
        'netlify.toml',
        'vercel.json',
      ],
      ...['renovate.json', '.renovaterc.json', 'wercker.yml'],
    ],
    'your shell and other programs': [
      ...['.envrc', 'sub/.envrc', '.bashrc', '.zshenv', '.profile', '.config/fish/config.fish', '.mise.toml', 'mise.toml', '.ssh/config2'],
      ...['Microsoft.PowerShell_profile.ps1', 'sitecustomize.py', 'flake.nix'],
      ...['.tool-versions', '.Rprofile', '.Renviron', 'Rprofile.site', '.irbrc', '.pryrc', '.psqlrc', '.sqliterc', '.ghci', '.iex.exs'],
      ...['.ocamlinit', '.octaverc', '.inputrc', '.curlrc', '.wgetrc', '.netrc', '.bazelrc', '.buckconfig', '.nvmrc', 'devbox.json'],
      ...['devenv.nix', 'default.nix', '.direnv/bin/x', '.venv/bin/activate', 'venv/bin/activate', 'lib/site-packages/a.pth', 'evil.pth'],
      ...['pyvenv.cfg', 'docker-compose.override.yml', 'compose.override.yaml', '.mise-tasks/a', 'mise-tasks/a', 'nodemon.json'],
      ...['autorun.inf', 'a.desktop', 'a.lnk'],
      ...['/home/ada/.anything', '/home/ada/.local/bin/ls', '/home/ada/bin/ls', '/home/ada/Library/LaunchAgents/a.plist'],
    ],
    'package managers': [
      'package.json',
      'packages/a/package.json',
      '.npmrc',
      '.yarnrc.yml',
      '.yarn/releases/yarn.cjs',
      '.cargo/config.toml',
      ...[
        'node_modules/.bin/eslint',
        'packages/a/node_modules/b/index.js',
        '.pnp.cjs',
        '.pnp.loader.mjs',
        '.pnp.data.json',
        'package.yaml',
      ],
      ...['rust-toolchain', 'rust-toolchain.toml', '.bundle/plugin/x', '.mvn/jvm.config', '.mvn/extensions.xml', '.gradle/init.gradle'],
      ...['nuget.config', 'deno.json', 'deno.jsonc', 'composer.json', 'pip.conf', 'uv.toml', 'poetry.toml', 'pixi.toml', '.gemrc'],
      ...['.tox/py/bin/python', '__pycache__/a.pyc', 'bower_components/a.js', '__pypackages__/a.py', '.condarc'],
    ],
  };
  for (const [name, files] of Object.entries(listed))
    it(`has those of ${name}`, () => {
      for (const file of files) assert.equal(who(file.startsWith('/') ? file : `/work/${file}`), name, file);
    });

  it('does not have what a project is made of', () => {
    const ordinary = [
      ...['src/main.ts', 'README.md', 'agents.ts', 'Makefile', 'build.rs', 'eslint.config.js', '.gitignore', '.editorconfig', '.env'],
      ...[
        'config/app.json',
        'config.json',
        'src/config.ts',
        'head.html',
        'git/config.txt',
        'vscode/tasks.json',
        'tasks.json',
        'x.github/a',
      ],
      ...['package-lock.json', 'my-package.json', 'docs/pre-commit.md', 'tests/pre-commit.test.ts', 'profile.ts', 'workflows/ci.yml'],
    ];
    ordinary.push('night/notes.md', 'nights/a.mjs');
    for (const file of ordinary) assert.equal(who(`/work/${file}`), undefined, file);
    assert.equal(who('/home/ada/project/a.ts', '/home/ada'), undefined);
    assert.equal(who('/home/adam/.anything'), undefined, 'the home of somebody else');
  });

  it('has what coding agents take as instructions', () => {
    const instructions = [
      ...['AGENTS.md', 'packages/a/agents.md', 'AGENTS.override.md', 'CLAUDE.md', 'Claude.local.md', 'GEMINI.md', 'QWEN.md', 'WARP.md'],
      ...['copilot-instructions.md', 'docs/copilot-instructions.MD', 'style.instructions.md', 'a.prompt.md', 'a.agent.md', 'a.chatmode.md'],
      ...[
        'SKILL.md',
        'skills/a/skill.md',
        '.cursorrules',
        '.windsurfrules',
        '.clinerules',
        '.goosehints',
        '.rules',
        'rules/a.mdc',
        'CRUSH.md',
      ],
    ];
    for (const file of instructions) assert.equal(why(`/work/${file}`), 'Coding agents take it as instructions', file);
    for (const file of ['agents.mdx', 'my-claude.md', 'instructions.md', 'docs/skills.md'])
      assert.equal(why(`/work/${file}`), undefined, file);
  });

  it('does not judge a path of any length', () => {
    assert.equal(why(`/work/${'a'.repeat(4_000)}`), undefined);
    assert.equal(why(`/work/${'a'.repeat(5_000)}`), 'Its path is too long to be judged');
    assert.equal(why(`/work/${' '.repeat(4_000)}x`), undefined);
    assert.equal(why(`/work/.git${' '.repeat(4_000)}/x`), 'It can make Git run programs later');
  });

  it('takes no longer for a path of many blanks than its length', () => {
    const time = (path: string) => {
      const start = performance.now();
      why(path);
      return performance.now() - start;
    };
    for (const fill of [' ', '.', ':', '\u200b', '\n', '/', '. /'])
      assert.ok(time(`/work/${fill.repeat(40_000)}x`) < 50 + time(`/work/${'a'.repeat(40_000)}x`), JSON.stringify(fill));
  });

  it('knows them in every spelling that a file system takes for the same', () => {
    const spellings = ['.GIT/CONFIG', '.Git/hooks/x', '.git./x', '.git /x', '.git::$INDEX_ALLOCATION/x', '.g\u200cit/x', '.ｇｉｔ/x'];
    for (const file of spellings) assert.equal(who(`/work/${file}`), 'Git', file);
    for (const file of ['.VSCODE/Tasks.json', 'A.Code-Workspace']) assert.equal(who(`/work/${file}`), 'editors', file);
    assert.equal(who('/work/PACKAGE.JSON'), 'package managers');
    assert.equal(who('/HOME/ADA/.TAPLINE/x'), 'Tapline');
    assert.equal(who('/work/.EnvRc'), 'your shell and other programs');
  });

  it('has a folder of the list with everything in it, also as the working directory', () => {
    assert.equal(who('/x/.vscode/a.txt', '/x/.vscode'), 'editors');
    assert.equal(who('/home/ada/.config/nvim/a.txt', '/home/ada/.config/nvim'), 'your shell and other programs');
    assert.equal(who('/home/ada/.tapline/a.txt', '/home/ada/.tapline'), 'Tapline');
  });

  it('leaves projects alone that lie in folders of the home or of Tapline’s own', () => {
    assert.equal(who('/home/ada/.dotfiles/README.md', '/home/ada/.dotfiles'), undefined);
    assert.equal(who('/home/ada/.dotfiles/README.md'), 'your shell and other programs');
    const worktree = '/home/ada/.tapline/sessions/worktrees/shop-1';
    assert.equal(who(`${worktree}/src/a.ts`, worktree), undefined);
    assert.equal(who(`${worktree}/.git`, worktree), 'Git');
    assert.equal(who(`${worktree}/package.json`, worktree), 'package managers');
    assert.equal(who('/home/ada/.tapline/sessions/worktrees/new', worktree), 'Tapline');
    assert.equal(who('/data/tapline/worktrees/shop-1/a.ts', '/data/tapline/worktrees/shop-1'), undefined);
    assert.equal(who('/home/ada/.tapline/copilot/mcp-config.json', worktree), 'Tapline');
  });
});
