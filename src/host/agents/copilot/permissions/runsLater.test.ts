import assert from 'node:assert/strict';
import { runsLater } from './runsLater.ts';

const places = { workingDirectory: '/work', home: '/home/ada', own: ['/data/tapline', '/home/ada/.tapline', '/work/jobs/night.json'] };
const who = (path: string, workingDirectory = places.workingDirectory) => runsLater(path, { ...places, workingDirectory });

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
    ],
    editors: [
      ...['.vscode/tasks.json', '.vscode/settings.json', '.vscode/launch.json', '.vscode/mcp.json', 'packages/a/.vscode/tasks.json'],
      ...['all.code-workspace', '.devcontainer/devcontainer.json', '.devcontainer.json', '.idea/workspace.xml', '.vimrc', '.exrc'],
    ],
    'GitHub and coding agents': [
      ...['.github/workflows/ci.yml', '.github/lsp.json', '.github/copilot/settings.json', '.github/hooks/a.json', '.claude/settings.json'],
      ...['.mcp.json', '.cursor/mcp.json', '.agents/skills/a/SKILL.md'],
    ],
    Tapline: [
      'tap.config.json',
      'night.tapline-portal.json',
      '/work/jobs/night.json',
      '/home/ada/.tapline/copilot/mcp-config.json',
      '/data/tapline/sessions/a/state.json',
    ],
    'build servers': ['.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', 'azure-pipelines.yaml'],
    'your shell and other programs': [
      ...['.envrc', 'sub/.envrc', '.bashrc', '.zshenv', '.profile', '.config/fish/config.fish', '.mise.toml', 'mise.toml', '.ssh/config2'],
      ...['Microsoft.PowerShell_profile.ps1', 'sitecustomize.py', 'flake.nix'],
      ...['/home/ada/.anything', '/home/ada/.local/bin/ls', '/home/ada/bin/ls', '/home/ada/Library/LaunchAgents/a.plist'],
    ],
    'package managers': [
      'package.json',
      'packages/a/package.json',
      '.npmrc',
      '.yarnrc.yml',
      '.yarn/releases/yarn.cjs',
      '.cargo/config.toml',
    ],
  };
  for (const [name, files] of Object.entries(listed))
    it(`has those of ${name}`, () => {
      for (const file of files) assert.equal(who(file.startsWith('/') ? file : `/work/${file}`), name, file);
    });

  it('does not have what a project is made of', () => {
    const ordinary = [
      ...['src/main.ts', 'README.md', 'AGENTS.md', 'Makefile', 'build.rs', 'eslint.config.js', '.gitignore', '.editorconfig', '.env'],
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
    for (const file of ordinary) assert.equal(who(`/work/${file}`), undefined, file);
    assert.equal(who('/home/ada/project/a.ts', '/home/ada'), undefined);
    assert.equal(who('/home/adam/.anything'), undefined, 'the home of somebody else');
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
