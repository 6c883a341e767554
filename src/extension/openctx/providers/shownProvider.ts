/** The text on which the user decides about a provider: what runs, or where texts go, and what it gets. */
import * as l10n from '@vscode/l10n';
import { secretNames } from '../../../openctx/secrets.ts';
import { field, quoted } from '../../../base/text/quoted.ts';
import type { Provider } from './findProvider.ts';

/** `whyNot`: why the text of the program is not shown beside it. */
export function shownProvider({ folder, uri, settings, target }: Provider, whyNot?: string): string {
  const secrets = secretNames(settings);
  const gets = [
    ...Object.entries(settings).flatMap(([name, value]) =>
      typeof value === 'string'
        ? field(`setting ${quoted(name)} =`, value)
        : field(l10n.t`setting ${quoted(name)} as JSON`, JSON.stringify(value)),
    ),
    ...(Object.keys(settings).length === 0 ? [l10n.t('    no settings')] : []),
    ...secrets.flatMap((name) => field(l10n.t('your secret'), name)),
  ];
  const what =
    target.kind === 'endpoint'
      ? [
          l10n.t('A server is named as a provider of context. It gets the path and the whole'),
          l10n.t('text of files that you open, again after changes, and what you send to agents'),
          l10n.t('where it asks for that. It says itself which files and messages it wants.'),
          '',
          l10n.t('Nothing is sent until you allow it. You allow this address with these'),
          l10n.t('settings: if one of them changes, you are asked again.'),
          '',
          ...field('server', target.url),
        ]
      : [
          l10n.t('A program is named as a provider of context. It runs on this computer and'),
          l10n.t('with your rights, and gets the path and the text of files that you open.'),
          '',
          l10n.t('Nothing runs until you allow it. You allow this file with these settings: if'),
          l10n.t('one of them changes, you are asked again. Other files that it loads are not'),
          'compared. A character that cannot be seen is written as \\u{…}.',
          '',
          ...field('program', target.path),
          `    SHA-256 ${target.sha256}`,
          ...(whyNot === undefined ? [] : [l10n.t`    Its text is not shown, because ${whyNot}. Read the file before you allow it.`]),
        ];
  return [
    ...what,
    ...field(l10n.t('for the folder'), folder),
    ...field(l10n.t('named as'), uri),
    '',
    'With each request it gets:',
    '',
    ...gets,
    ...(secrets.length > 0 ? ['', 'A secret is sent as you have entered it. Whoever gets it can use it.'] : []),
    '',
  ].join('\n');
}
