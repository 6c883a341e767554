/** The questions that a host asks before it creates a session, such as whether the agent gets a Git worktree and from which branch. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type ConfigOption, type ConfigStep, nextConfigStep } from '../../../views/newSession/configSteps.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';

interface Where {
  readonly provider: string;
  readonly workingDirectory: string;
}

/** The values for `createSession`; undefined when the user cancels a question. A question with one possible answer is not asked. */
export async function chooseConfig(host: RegisteredHost, where: Where): Promise<Record<string, unknown> | undefined> {
  const resolve = (config?: Record<string, unknown>) =>
    host.client.command('resolveSessionConfig', { ...where, ...(config && { config }) });
  let config = await resolve();
  const asked = new Set<string>();
  for (let step = nextConfigStep(config, asked); step; step = nextConfigStep(config, asked)) {
    asked.add(step.id);
    const options = step.isDynamic ? await completions(host, where, config.values, step) : step.options;
    if (options.length < 2) continue;
    const value = await ask(step, options);
    if (value === undefined) return undefined;
    // An answer may change the other questions.
    if (value !== config.values[step.id]) config = await resolve({ ...config.values, [step.id]: value });
  }
  return config.values;
}

async function completions(
  host: RegisteredHost,
  where: Where,
  config: Record<string, unknown>,
  { id }: ConfigStep,
): Promise<ConfigOption[]> {
  const { items } = await host.client.command('sessionConfigCompletions', { ...where, config, property: id });
  return items.map(({ value, label, description }) => ({
    value,
    label: oneLine(label) || value,
    ...(description !== undefined && { description: oneLine(description) }),
  }));
}

/** The host's default comes first, so that Enter accepts it. */
async function ask(step: ConfigStep, options: readonly ConfigOption[]): Promise<string | undefined> {
  const items = options
    .toSorted((a, b) => Number(b.value === step.value) - Number(a.value === step.value))
    .map(({ value, label, description }) => ({
      label: withoutMarkup(label),
      ...(description !== undefined && { detail: withoutMarkup(description) }),
      value,
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t`New Session: ${withoutMarkup(step.title)}`,
    placeHolder: withoutMarkup(step.description),
    ignoreFocusOut: true,
  });
  return picked?.value;
}
