/** The text on which the user decides about a provider: what runs, or where texts go, and what it gets. */
import * as l10n from '../../../base/l10n.ts';
import { secretNames } from '../../../openctx/secrets.ts';
import { quoted } from '../../../base/text/quoted.ts';
import { fieldLines, wrapped } from '../../../views/text/decisionLines.ts';
import type { Provider } from './findProvider.ts';
import type { WhyNot } from './programText.ts';

const notShown: Readonly<Record<WhyNot, string>> = {
  changed: l10n.t('Its text is not shown, because it has changed since Tapline read it. Read the file before you allow it.'),
  tooLong: l10n.t('Its text is not shown, because it is longer than 1 MiB. Read the file before you allow it.'),
  noText: l10n.t('Its text is not shown, because it has bytes that are no text. Read the file before you allow it.'),
};

/** `whyNot`: why the text of the program is not shown beside it. */
export function shownProvider({ folder, uri, settings, target }: Provider, whyNot?: WhyNot): string {
  const secrets = secretNames(settings);
  const gets = [
    ...Object.entries(settings).flatMap(([name, value]) =>
      typeof value === 'string'
        ? fieldLines(l10n.t`setting ${quoted(name)} =`, value)
        : fieldLines(l10n.t`setting ${quoted(name)} as JSON`, JSON.stringify(value)),
    ),
    ...(Object.keys(settings).length === 0 ? [`    ${l10n.t('no settings')}`] : []),
    ...secrets.flatMap((name) => fieldLines(l10n.t('your secret'), name)),
  ];
  const what =
    target.kind === 'endpoint'
      ? [
          ...wrapped(
            l10n.t(
              'A server is named as a provider of context. It gets the path and the whole text of files that you open, again after changes, and what you send to agents where it asks for that. It says itself which files and messages it wants.',
            ),
          ),
          '',
          ...wrapped(
            l10n.t(
              'Nothing is sent until you allow it. You allow this address with these settings: if one of them changes, you are asked again.',
            ),
          ),
          '',
          ...fieldLines(l10n.t('server'), target.url),
        ]
      : [
          ...wrapped(
            l10n.t(
              'A program is named as a provider of context. It runs on this computer and with your rights, and gets the path and the text of files that you open.',
            ),
          ),
          '',
          ...wrapped(
            l10n.t(
              'Nothing runs until you allow it. You allow this file with these settings: if one of them changes, you are asked again. Other files that it loads are not compared. A character that cannot be seen is written as \\u{…}.',
            ),
          ),
          '',
          ...fieldLines(l10n.t('program'), target.path),
          `    SHA-256 ${target.sha256}`,
          ...(whyNot === undefined ? [] : [`    ${notShown[whyNot]}`]),
        ];
  return [
    ...what,
    ...fieldLines(l10n.t('for the folder'), folder),
    ...fieldLines(l10n.t('named as'), uri),
    '',
    l10n.t('With each request it gets:'),
    '',
    ...gets,
    ...(secrets.length > 0 ? ['', l10n.t('A secret is sent as you have entered it. Whoever gets it can use it.')] : []),
    '',
  ].join('\n');
}
