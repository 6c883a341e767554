/** What people watch most, as commands that they may change before anything starts. */
import * as l10n from '../../base/l10n.ts';
import type { EventFilter } from './emitterRequest.ts';
import { failureRules } from './interruptions.ts';

/** What a template needs to know. */
export interface TemplateQuestion {
  prompt: string;
  placeHolder: string;
  /** Why it cannot be this. */
  check(value: string): string | undefined;
}

export interface WatchTemplate {
  id: 'tests' | 'types' | 'log' | 'pullRequest' | 'deployment' | 'url';
  label: string;
  icon: string;
  detail: string;
  question?: TemplateQuestion;
  command(answer: string, isWindows: boolean): string;
  /** Absent: it runs on. */
  runInterval?: string;
  /** Where its lines are better known than by words for failures. */
  failures?(outcome: 'surface' | 'inject'): EventFilter;
}

export const watchTemplates: readonly WatchTemplate[] = [
  {
    id: 'tests',
    label: l10n.t('Tests'),
    icon: 'beaker',
    detail: l10n.t('Runs them again and again'),
    // eslint-disable-next-line texts/translated -- a command
    command: () => 'npm test',
    runInterval: '5m',
  },
  {
    id: 'types',
    label: l10n.t('Type check'),
    icon: 'symbol-interface',
    detail: l10n.t('Checks after each change of a file'),
    // eslint-disable-next-line texts/translated -- a command
    command: () => 'npx tsc --noEmit --watch --preserveWatchOutput --pretty false',
    failures: (outcome) => [{ match: '\\berror TS\\d+', outcome }],
  },
  {
    id: 'log',
    label: l10n.t('Log file'),
    icon: 'output',
    detail: l10n.t('Follows what is written to it from now on'),
    question: {
      prompt: l10n.t('Which file? From the folder of the session, or from the root'),
      placeHolder: 'logs/server.log',
      check: (value) => (value.trim() === '' ? l10n.t('Name a file.') : undefined),
    },
    command: (file, isWindows) =>
      isWindows
        ? `powershell -NoProfile -Command "Get-Content -LiteralPath '${file.replaceAll("'", "''")}' -Tail 0 -Wait"`
        : `tail -n 0 -F -- ${shellWord(file)}`,
  },
  {
    id: 'pullRequest',
    label: l10n.t('Pull request'),
    icon: 'git-pull-request',
    detail: l10n.t('Its checks, with GitHub’s program gh'),
    question: {
      prompt: l10n.t('Which one? Its number or address'),
      placeHolder: '123',
      check: (value) =>
        /^(?:\d+|https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\/pull\/\d+)$/.test(value.trim())
          ? undefined
          : l10n.t('Give its number, or an address that ends with /pull/ and its number.'),
    },
    // eslint-disable-next-line texts/translated -- a command
    command: (which) => `gh pr checks ${which.trim()}`,
    runInterval: '2m',
    failures: (outcome) => [{ match: '\\t(?:fail|cancel)\\t', outcome }],
  },
  {
    id: 'deployment',
    label: l10n.t('Deployment'),
    icon: 'rocket',
    detail: l10n.t('A roll-out of Kubernetes'),
    question: {
      prompt: l10n.t('Which deployment?'),
      placeHolder: 'web',
      check: (value) => (/^[a-z0-9][a-z0-9.-]*$/.test(value.trim()) ? undefined : l10n.t('Give its name: letters, digits, - and a dot.')),
    },
    command: (name) => `kubectl rollout status deployment/${name.trim()} --timeout=60s`,
    runInterval: '1m',
  },
  {
    id: 'url',
    label: 'URL',
    icon: 'globe',
    detail: l10n.t('Whether it answers, and with what status'),
    question: {
      prompt: l10n.t('Which address?'),
      placeHolder: 'https://example.com/health',
      check: (value) => (isPlainUrl(value.trim()) ? undefined : l10n.t('Give an address that begins with http:// or https://.')),
    },
    command: (url, isWindows) => {
      const format = isWindows ? '"%{http_code} %{url_effective}\\n"' : "'%{http_code} %{url_effective}\\n'";
      const address = isWindows ? `"${url.trim()}"` : shellWord(url.trim());
      return `curl -sS -o ${isWindows ? 'NUL' : '/dev/null'} --max-time 20 -w ${format} ${address}`;
    },
    runInterval: '1m',
    failures: (outcome) => [{ match: '^(?:[045]\\d\\d |curl: )', outcome }],
  },
];

export function failuresOf(template: WatchTemplate | undefined, outcome: 'surface' | 'inject'): EventFilter {
  return template?.failures?.(outcome) ?? failureRules(outcome);
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Nothing in it means something to a shell within quotes. */
function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^\s"'`$\\<>^|%!]+$/.test(text.replace(/%[0-9a-f]{2}/gi, '')) && URL.canParse(text);
}
