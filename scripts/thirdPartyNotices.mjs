// What Tapline ships of others, with their licences: made from what the build has really taken from packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice|thirdpartynotices)/i;
const RULE = '-'.repeat(80);

/** The folders of the packages that are in a bundle, from its metafile. What was read and not used is in no output. */
export function bundledPackages(root, { outputs }) {
  const taken = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
  return taken.flatMap(([path]) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [];
    return folder === undefined ? [] : [resolve(root, folder)];
  });
}

/** Throws for a package that has no licence text. */
export function thirdPartyNotices(folders) {
  const packages = [...new Set(folders)].map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  const notices = new Map(packages.map(({ title, text }) => [title, `${RULE}\n${title}\n${RULE}\n\n${text}\n`]));
  return ['Tapline contains the following software and fonts of others, under these licences.\n', ...notices.values()].join('\n');
}

function readPackage(folder) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = licenceFiles(folder).map((file) => readFileSync(file, 'utf8'));
  const texts = (files.length > 0 ? files : [...licenceOfReadme(folder), ...licenceOfRepository(name)]).map((text) =>
    text.replaceAll('\r\n', '\n').trim(),
  );
  if (texts.length === 0) throw new Error(`${name} has no licence text, so it cannot be shipped: ${folder}`);
  return { title: `${name} ${version} (${license})`, text: [...(homepage ? [homepage] : []), ...texts].join('\n\n') };
}

/** Parts for one platform (`@scope/name-linux-x64`) have their licence in the package that they are of. */
function licenceFiles(folder) {
  const own = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENCE.test(entry.name));
  if (own.length > 0) return own.map(({ name }) => join(folder, name));
  const whole = folder.replace(/-(?:linux|darwin|win32)[^/\\]*$/, '');
  return whole !== folder && existsSync(whole) && dirname(whole) === dirname(folder) ? licenceFiles(whole) : [];
}

/** Some packages have theirs in a section of their readme only. */
function licenceOfReadme(folder) {
  const readme = readdirSync(folder).find((name) => /^readme/i.test(name));
  const [, text] = /^#+ *licen[cs]e[^\n]*\n(.*)$/ims.exec(readme ? readFileSync(join(folder, readme), 'utf8') : '') ?? [];
  return text && /permission|redistribution/i.test(text) ? [text] : [];
}

/** Some have theirs in their repository only. */
function licenceOfRepository(name) {
  const file = { '@vscode/l10n': 'vscode-l10n.txt' }[name];
  return file === undefined ? [] : [readFileSync(new URL(`licences/${file}`, import.meta.url), 'utf8')];
}
