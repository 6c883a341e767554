/**
 * Files that make other programs run something later without asking: Git, editors, agents, build servers, shells and package managers. A
 * change of one of them is asked about each time, whatever was allowed. This list is complete.
 *
 * The project's own sources and build files (`Makefile`, `build.rs`, `eslint.config.js`) are not on it. They run when somebody builds,
 * tests or checks the project.
 */
import { sep } from 'node:path';

interface Rule {
  /** The program that reads it, as part of a sentence. */
  who: string;
  /** Folders, with everything in them. */
  folders?: readonly string[];
  files?: readonly string[];
  /** Matches the file's name. */
  pattern?: RegExp;
}

const PROGRAMS = 'your shell and other programs';

/** Names in lower case. */
const rules: readonly Rule[] = [
  {
    who: 'Git',
    folders: ['.git', '.githooks', '.husky', '.lefthook'],
    // The first four make any folder a repository with its own settings. Hooks may lie wherever a setting says.
    files: [
      ...['head', 'commondir', 'config', 'config.worktree', '.gitattributes', '.gitconfig', '.gitmodules'],
      ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg'],
      ...['post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'post-receive', 'post-update'],
      ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate', 'fsmonitor-watchman'],
      ...['post-index-change', '.overcommit.yml', '.pre-commit-config.yaml', '.pre-commit-config.yml'],
    ],
    // Scripts of hooks, by the usual hook managers.
    pattern: /^(\.?lefthook|\.?lintstagedrc|lint-staged\.config|\.?simple-git-hooks|\.huskyrc|\.commitlintrc|commitlint\.config)(\.|$)/,
  },
  {
    who: 'editors',
    folders: ['.vscode', '.devcontainer', '.idea', '.fleet', '.zed', '.vim', '.nvim', '.emacs.d'],
    files: ['.devcontainer.json', '.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.nvim.lua', '.emacs', '.dir-locals.el'],
    pattern: /\.(code-workspace|sublime-project)$/,
  },
  {
    who: 'GitHub and coding agents',
    folders: ['.github', '.copilot', '.agents', '.claude', '.codex', '.cursor', '.gemini', '.kiro', '.opencode', '.windsurf'],
    files: ['.mcp.json', '.lsp.json', 'opencode.json'],
  },
  { who: 'Tapline', files: ['tap.config.json'], pattern: /\.tapline-portal\.json$/ },
  {
    who: 'build servers',
    folders: ['.azure-pipelines', '.buildkite', '.circleci', '.forgejo', '.gitea', '.gitlab', '.semaphore', '.woodpecker'],
    files: ['jenkinsfile'],
    pattern: /^(\.gitlab-ci|\.travis|\.drone|\.cirrus|\.woodpecker|\.gitpod|\.?appveyor|azure-pipelines|bitbucket-pipelines)\.ya?ml$/,
  },
  {
    who: PROGRAMS,
    folders: ['.config', '.mise', '.ssh'],
    files: [
      ...['.envrc', 'flake.nix', 'shell.nix', 'sitecustomize.py', 'usercustomize.py'],
      ...['.profile', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.kshrc', '.cshrc', '.tcshrc'],
      ...[
        '.zshrc',
        '.zshenv',
        '.zprofile',
        '.zlogin',
        '.zlogout',
        '.login',
        '.logout',
        '.xprofile',
        '.xinitrc',
        '.xsession',
        '.xsessionrc',
      ],
      ...['.pam_environment', '.tmux.conf', '.screenrc', '.gdbinit', '.lldbinit', '.pdbrc'],
    ],
    pattern: /^(\.autoenv.*|\.?mise(\..*)?\.toml|(.*[._])?profile\.ps1)$/,
  },
  {
    who: 'package managers',
    folders: ['.cargo', '.yarn'],
    files: ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs'],
  },
];

/** Folders in the user's home that programs read, besides those with a dot. */
const HOME_FOLDERS = ['appdata', 'bin', 'library'];
/** Here sessions work. It contains no settings, though it lies in Tapline's own folder. */
const WORKTREES = 'worktrees';

/** All are absolute and without links. */
export interface Places {
  workingDirectory: string;
  /** The user's home. */
  home: string;
  /** Folders of Tapline's own, and files that it runs by. */
  own: readonly string[];
}

/** The program that runs what a file at that absolute path names. Undefined where none is known. The file need not exist. */
export function runsLater(path: string, { workingDirectory, home, own }: Places): string | undefined {
  const parts = partsOf(path);
  const isOurs = own.some((folder) => {
    const rest = below(parts, partsOf(folder));
    const work = rest?.indexOf(WORKTREES) ?? -1;
    return rest && (work === -1 || work + 2 >= rest.length);
  });
  if (isOurs) return 'Tapline';
  const [entry] = below(parts, partsOf(home)) ?? [];
  // A project may lie in such a folder.
  const isProject = entry !== undefined && below(partsOf(workingDirectory), [...partsOf(home), entry]);
  if (entry !== undefined && !isProject && (entry.startsWith('.') || HOME_FOLDERS.includes(entry))) return PROGRAMS;
  const file = parts.at(-1) ?? '';
  return rules.find(
    ({ folders = [], files = [], pattern }) =>
      parts.some((part) => folders.includes(part)) || files.includes(file) || pattern?.test(file) === true,
  )?.who;
}

/** The parts of the path, normalized as the most lenient file system does: without case and invisible characters. */
function partsOf(path: string): string[] {
  const names = path.split(sep).filter((part) => part !== '');
  return names.map((part) =>
    part
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // On Windows: a stream of the file, and what is dropped at the end of a name.
      .replace(/(?<!^.):.*$/s, '')
      .replace(/[. ]+$/, '')
      .toLowerCase(),
  );
}

function below(parts: readonly string[], root: readonly string[]): string[] | undefined {
  return root.every((part, index) => parts[index] === part) ? parts.slice(root.length) : undefined;
}
