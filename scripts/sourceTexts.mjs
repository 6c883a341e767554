// The texts in the sources that people see: what stands in `l10n.t` and `phrase`, as `l10n/bundle.l10n.json` has them. Read with the compiler, so that a text which
// cannot be read is an error and not one that stays English.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesBelow } from './folders.mjs';

const TAGS = new Set(['l10n.t', 'phrase']);

/** @returns texts by their keys, in the order of the keys: a text alone is its own key, one with a comment for translators has `text/comment`. */
export function sourceTexts(root, folders = ['']) {
  const found = new Map();
  for (const folder of folders) {
    for (const name of filesBelow(join(root, 'src', folder))) {
      if (!/(?<!\.test)\.tsx?$/.test(name)) continue;
      const path = join(root, 'src', folder, name);
      for (const { key, ...text } of textsOf(path, readFileSync(path, 'utf8'))) found.set(key, text.comment ? text : text.message);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of one file. */
export function textsOf(path, source) {
  if (!/l10n\.t|phrase`/.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const texts = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && TAGS.has(node.tag.getText(file))) texts.push(plain(templateText(node.template)));
    else if (ts.isCallExpression(node) && node.expression.getText(file) === 'l10n.t') texts.push(argumentText(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

const plain = (message) => ({ key: message, message });

function templateText(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.head.text + template.templateSpans.map(({ literal }, at) => `{${at}}${literal.text}`).join('');
}

function argumentText(call, file) {
  const [argument] = call.arguments;
  if (argument && ts.isStringLiteralLike(argument)) return plain(argument.text);
  const properties = argument && ts.isObjectLiteralExpression(argument) ? argument.properties : [];
  const { message, comment } = Object.fromEntries(
    properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(file), initializer]),
  );
  if (!message || !ts.isStringLiteralLike(message) || !comment || !ts.isStringLiteralLike(comment)) {
    const { line } = file.getLineAndCharacterOfPosition(call.getStart(file));
    throw new Error(`${file.fileName}:${line + 1}: l10n.t needs a text, or one with a comment, that stands there`);
  }
  return { key: `${message.text}/${comment.text}`, message: message.text, comment: [comment.text] };
}
