/**
 * Files that make other programs run something later without asking: Git, editors, agents, build servers, shells and package managers, and
 * texts that coding agents take as instructions. A change of one of them is asked about each time, whatever was allowed. No such list is
 * complete: in a repository, Git's own list of files decides besides (`writeReason.ts`).
 *
 * The project's own sources and build files (`Makefile`, `build.rs`, `eslint.config.js`) are not on it. They run when somebody builds,
 * tests or checks the project.
 */
import { sep } from 'node:path';
import * as l10n from '../../../../base/l10n.ts';
import { withoutEnd } from '../../../../base/text/ends.ts';

interface Rule {
  /** The program that reads it, as part of a sentence. Absent for instructions. */
  who?: string;
  /** Folders, with everything in them. */
  folders?: readonly string[];
  files?: readonly string[];
  /** Matches the file's name. */
  pattern?: RegExp;
}

const PROGRAMS = l10n.t('your shell and other programs');

/** Names in lower case. */
const rules: readonly Rule[] = [
  {
    who: 'Git',
    folders: ['.git', '.githooks', '.git-hooks', 'git-hooks', '.husky', '.lefthook'],
    // The first four make any folder a repository with its own settings. Hooks may lie wherever a setting says.
    files: [
      ...['head', 'commondir', 'config', 'config.worktree', '.gitattributes', '.gitconfig', '.gitmodules'],
      ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg'],
      ...['post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'post-receive', 'post-update'],
      ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate', 'fsmonitor-watchman'],
      ...['post-index-change', '.overcommit.yml', '.pre-commit-config.yaml', '.pre-commit-config.yml', '.pre-commit-hooks.yaml'],
      ...['captainhook.json', 'grumphp.yml', 'grumphp.yml.dist', 'cog.toml', 'hk.pkl', '.rusty-hook.toml', 'prek.toml'],
    ],
    // Scripts of hooks, by the usual hook managers.
    pattern:
      /^(\.?lefthook(-local)?|\.?lintstagedrc|lint-staged\.config|\.?simple-git-hooks|\.huskyrc|\.commitlintrc|commitlint\.config)(\.|$)/,
  },
  { who: l10n.t('version control'), folders: ['.hg', '.svn', '.jj', '.bzr'], files: ['.hgrc', '.hgsub', 'mercurial.ini'] },
  {
    who: l10n.t('editors'),
    folders: [
      ...['.vscode', '.devcontainer', '.idea', '.run', '.fleet', '.zed', '.vim', '.nvim', '.emacs.d', '.vs', '.theia', '.helix', '.nova'],
      ...['.settings', '.jupyter', '.ipython', '.gitpod'],
    ],
    files: [
      ...['.devcontainer.json', '.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.local.vimrc', '.emacs'],
      ...['.dir-locals.el', '.dir-locals-2.el', '.ycm_extra_conf.py', '.kateproject', '.vimspector.json', '.replit', 'replit.nix'],
    ],
    pattern: /\.(code-workspace|sublime-project|sublime-workspace)$|^\.gitpod\./,
  },
  {
    who: l10n.t('GitHub and coding agents'),
    folders: [
      ...['.github', '.copilot', '.agents', '.claude', '.codex', '.cursor', '.gemini', '.kiro', '.opencode', '.windsurf', '.roo', '.cline'],
      ...['.continue', '.amazonq', '.junie', '.trae', '.qwen', '.kilocode', '.factory', '.augment', '.crush', '.goose', '.aider'],
    ],
    files: [
      ...['.mcp.json', 'mcp.json', 'mcp_config.json', '.lsp.json', 'opencode.json', 'opencode.jsonc', 'crush.json', '.crush.json'],
      ...['.aider.conf.yml', '.roomodes', 'gemini-extension.json', 'claude_desktop_config.json'],
    ],
  },
  { who: 'Tapline', files: ['tap.config.json'], pattern: /\.tapline-portal\.json$/ },
  {
    who: l10n.t('build servers'),
    folders: [
      ...['.azure-pipelines', '.buildkite', '.circleci', '.forgejo', '.gitea', '.gitlab', '.semaphore', '.woodpecker', '.teamcity'],
      ...['.tekton', '.builds', '.harness', '.zuul.d'],
    ],
    files: ['jenkinsfile', 'netlify.toml', 'vercel.json', 'renovate.json', 'renovate.json5', '.cirrus.star'],
    pattern:
      /^(\.gitlab-ci|\.travis|\.drone|\.cirrus|\.woodpecker|\.?appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|bitrise|wercker|\.?build|\.zuul|zuul)\.ya?ml$|^\.renovaterc(\.|$)/,
  },
  // Texts that run nothing by themselves. Agents do what they say.
  {
    files: [
      ...['agents.md', 'agents.override.md', 'agent.md', 'claude.md', 'claude.local.md', 'gemini.md', 'qwen.md', 'warp.md', 'crush.md'],
      ...['copilot-instructions.md', 'skill.md', '.cursorrules', '.windsurfrules', '.clinerules', '.roorules', '.goosehints', '.rules'],
    ],
    pattern: /\.(instructions|prompt|agent|chatmode)\.md$|\.mdc$/,
  },
  {
    who: PROGRAMS,
    folders: ['.config', '.mise', 'mise', '.mise-tasks', 'mise-tasks', '.ssh', '.direnv', '.devbox', '.local', '.venv', 'venv', '.asdf'],
    files: [
      ...['.envrc', 'flake.nix', 'shell.nix', 'default.nix', 'devenv.nix', 'devbox.json', 'sitecustomize.py', 'usercustomize.py'],
      ...['.profile', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.kshrc', '.cshrc', '.tcshrc'],
      ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.login', '.logout', '.inputrc'],
      ...['.xprofile', '.xinitrc', '.xsession', '.xsessionrc', '.pam_environment', '.tmux.conf', '.screenrc'],
      ...['.gdbinit', '.lldbinit', '.pdbrc', '.irbrc', '.pryrc', '.psqlrc', '.sqliterc', '.ghci', '.iex.exs', '.ocamlinit', '.octaverc'],
      ...['.rprofile', '.renviron', 'rprofile.site', 'renviron.site', 'pyvenv.cfg', '.curlrc', '.wgetrc', '.netrc'],
      ...['.tool-versions', '.nvmrc', '.node-version', '.ruby-version', '.python-version', '.java-version', '.sdkmanrc'],
      ...['.bazelrc', '.bazeliskrc', '.buckconfig', '.buckconfig.local', '.watchmanconfig', 'nodemon.json', 'autorun.inf'],
    ],
    pattern: /^(\.autoenv.*|\.?mise(\..*)?\.toml|(.*[._])?profile\.ps1|(docker-)?compose\.override\.ya?ml)$|\.(pth|desktop|lnk)$/,
  },
  {
    who: l10n.t('package managers'),
    folders: [
      ...['.cargo', '.yarn', 'node_modules', 'bower_components', '.bundle', '.gem', '.mvn', '.gradle', '.nuget', '.tox', '.nox', '.eggs'],
      ...['site-packages', 'dist-packages', '__pypackages__', '__pycache__'],
    ],
    files: [
      ...['package.json', 'package.json5', 'package.yaml', '.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml', 'pnpm-workspace.yaml'],
      ...['.pnpmfile.cjs', '.pnpmfile.mjs', '.pnp.js', '.pnp.cjs', '.pnp.loader.mjs', '.pnp.data.json', 'deno.json', 'deno.jsonc'],
      ...['composer.json', 'rust-toolchain', 'rust-toolchain.toml', '.gemrc', '.condarc', '.pypirc', 'pip.conf', 'pip.ini', 'uv.toml'],
      ...['poetry.toml', 'pixi.toml', 'nuget.config'],
    ],
  },
];

/** Folders in the user's home that programs read, besides those with a dot. */
const HOME_FOLDERS = ['appdata', 'bin', 'library'];
/** Here sessions work. It contains no settings, though it lies in Tapline's own folder. */
const WORKTREES = 'worktrees';
/** In characters. Systems open no longer path. */
const MAX_PATH = 4_096;

/** Of an entry that is run by Tapline. Both may grow. */
export interface OwnModules {
  /** With the modules in them, and below. */
  readonly folders: ReadonlySet<string>;
  /** Without the name of a module. */
  readonly files: ReadonlySet<string>;
}

/** All are absolute and without links. */
export interface Places {
  workingDirectory: string;
  /** The user's home. */
  home: string;
  /** Folders of Tapline's own, and files that it runs by. */
  own: readonly string[];
  /** Folders with modules that it runs. */
  moduleFolders: readonly string[];
}

/** Why a file at that absolute path is asked about, as a sentence that goes on. Undefined where nothing is known. The file need not exist. */
export function runsLater(path: string, { workingDirectory, home, own, moduleFolders }: Places): string | undefined {
  if (path.length > MAX_PATH) return l10n.t('Its path is too long to be judged');
  const parts = partsOf(path);
  const isOurs = own.some((folder) => {
    const rest = below(parts, partsOf(folder));
    const work = rest?.indexOf(WORKTREES) ?? -1;
    return rest && (work === -1 || work + 2 >= rest.length);
  });
  const file = parts.at(-1) ?? '';
  if (isOurs || (isModuleName(file) && moduleFolders.some((folder) => below(parts, partsOf(folder))))) return runBy('Tapline');
  const [entry] = below(parts, partsOf(home)) ?? [];
  // A project may lie in such a folder.
  const isProject = entry !== undefined && below(partsOf(workingDirectory), [...partsOf(home), entry]);
  if (entry !== undefined && !isProject && (entry.startsWith('.') || HOME_FOLDERS.includes(entry))) return runBy(PROGRAMS);
  const rule = rules.find(
    ({ folders = [], files = [], pattern }) =>
      parts.some((part) => folders.includes(part)) || files.includes(file) || pattern?.test(file) === true,
  );
  return rule && (rule.who === undefined ? l10n.t('Coding agents take it as instructions') : runBy(rule.who));
}

/** Node would run a file of this name. It takes one without an extension before all others. */
export function isModuleName(file: string): boolean {
  return !file.includes('.') || /\.([cm]?[jt]sx?|json[c5]?|node|wasm)$/i.test(file);
}

/** A name in the path begins with a dot. Below the folder only the names after it count. */
export function hasDotName(path: string, folder: string): boolean {
  const root = partsOf(folder);
  const names = namesOf(path);
  const inFolder = below(partsOf(path), root) ? names.slice(root.length) : names;
  return inFolder.some((name) => name.startsWith('.'));
}

function runBy(who: string): string {
  return l10n.t`It can make ${who} run programs later`;
}

/** The parts of the path, normalized as the most lenient file system does: without case and invisible characters. */
function partsOf(path: string): string[] {
  // On Windows: without a stream of the file, and what is dropped at the end of a name.
  return namesOf(path).map((name) => withoutEnd(name.replace(/(?<!^.):.*$/s, ''), '. ').toLowerCase());
}

function namesOf(path: string): string[] {
  const names = path.split(sep).filter((part) => part !== '');
  return names.map((name) => name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
}

function below(parts: readonly string[], root: readonly string[]): string[] | undefined {
  return root.every((part, index) => parts[index] === part) ? parts.slice(root.length) : undefined;
}
