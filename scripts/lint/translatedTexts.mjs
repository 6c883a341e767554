/** The rule of ESLint that every text for people goes through `l10n.t`, from which scripts/texts.mjs takes what is translated. */

/** Attributes whose text people see or hear. */
const SHOWN_ATTRIBUTES =
  /^(aria-(label|description|roledescription|placeholder|valuetext)|title|label|alt|placeholder|heading|empty|loading|busy|badge|what|text)$/;
/** Properties whose text people see, where one word is enough to be a text. */
const SHOWN_PROPERTIES =
  /^(label|title|description|detail|message|placeHolder|placeholder|prompt|tooltip|ariaLabel|accessibilityLabel|problem|reason|text)$/;
/** A log is in English, as are comments for translators and what is only compared. */
const ENGLISH_CALLS =
  /(^|\.)(log|logger|warnings|console|channel)\.(trace|debug|info|warn|error|log|append|appendLine)$|^l10n\.t$|^(querySelector|querySelectorAll|closest|matches|getElementById|createElement|addEventListener|executeCommand|registerCommand|getConfiguration|startsWith|endsWith|includes|indexOf|split|describe|RegExp|css)$/;

const LETTERS = /\p{L}{2}/u;
/** Words with a space between them, beginning as a sentence or a phrase does. */
const PROSE = /(^|[\s“(])\p{L}[\p{L}’'-]*[,;:.…]? \p{L}/u;
const SHORT = /^[\p{Lu}]\p{Ll}+(…|\.|:)?$/u;
/** Lists of classes, selectors, paths, HTML and such. */
const CODE = /^[.#<]|[{}<>=]|^[\w-]+(\/[\w.-]+)+$|^(var|calc)\(|^[a-z][\w-]*(-[\w-]+)+( [\w-]+)*$/;

export const translatedTexts = {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [],
    messages: { notTranslated: 'This text is in English only. Write it as `l10n.t`…`` (docs/languages.md).' },
  },
  create(context) {
    const { sourceCode } = context;
    const report = (node, call = `l10n.t(${sourceCode.getText(node)})`) => {
      const written = node.parent.type === 'JSXAttribute' || node.type === 'JSXText' ? `{${call}}` : call;
      context.report({ node, messageId: 'notTranslated', fix: call === '' ? undefined : (fixer) => fixer.replaceText(node, written) });
    };
    const check = (node, text) => {
      const place = placeOf(node);
      if (place === 'english') return;
      const shown = place === 'shown' ? LETTERS.test(text) && (PROSE.test(text) || SHORT.test(text)) : PROSE.test(text) && !CODE.test(text);
      if (shown) report(node, node.type === 'TemplateLiteral' ? `l10n.t${sourceCode.getText(node)}` : undefined);
    };
    return {
      JSXText: (node) => LETTERS.test(node.value.replace(/&\w+;/gu, '')) && report(node, aloneIn(node)),
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked ?? '').join('…')),
    };
  },
};

/** What a text is for, by what stands around it. */
function placeOf(node) {
  for (let child = node, at = node.parent; at; child = at, at = at.parent) {
    switch (at.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ImportExpression':
      case 'TSLiteralType':
      case 'TSImportType':
      case 'TSModuleDeclaration':
        return at.type === 'ExportNamedDeclaration' && at.declaration === child ? 'unknown' : 'english';
      case 'TaggedTemplateExpression':
        if (at.quasi === node || at.tag === child) return 'english';
        // What stands in its `${}` is a text of its own.
        return nameOf(at.tag) === 'l10n.t' ? 'shown' : 'unknown';
      case 'BinaryExpression':
        if (at.operator !== '+') return 'english';
        break;
      case 'SwitchCase':
        return at.test === child ? 'english' : 'unknown';
      case 'MemberExpression':
        return 'english';
      case 'Property':
        if (at.key === child) return 'english';
        if (isArgumentOfL10n(at.parent)) return nameOfProperty(at) === 'args' ? 'shown' : 'english';
        return !at.computed && SHOWN_PROPERTIES.test(nameOfProperty(at)) ? 'shown' : 'unknown';
      case 'JSXAttribute':
        return SHOWN_ATTRIBUTES.test(at.name.name) ? 'shown' : at.name.name === 'class' || at.name.name === 'style' ? 'english' : 'unknown';
      case 'CallExpression':
      case 'NewExpression':
        if (at.callee !== child && ENGLISH_CALLS.test(nameOf(at.callee))) return 'english';
        return 'unknown';
      case 'ArrowFunctionExpression':
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ExpressionStatement':
      case 'VariableDeclarator':
      case 'ReturnStatement':
        return 'unknown';
    }
  }
  return 'unknown';
}

function nameOfProperty({ key }) {
  return key.name ?? String(key.value);
}

/** `l10n.t({ message: 'Open', comment: 'a verb' })` */
function isArgumentOfL10n({ parent }) {
  return parent.type === 'CallExpression' && nameOf(parent.callee) === 'l10n.t';
}

/** `a.b.c` as `b.c`, because what a log or a namespace belongs to does not matter. */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed) return '';
  const name = callee.property.name ?? '';
  const owner = callee.object.type === 'MemberExpression' ? callee.object.property.name : callee.object.name;
  return ENGLISH_CALLS.test(name) ? name : `${owner ?? ''}.${name}`.replace('#', '');
}

/** A text with other content beside it is a part of a sentence, which only a person can write as one. */
function aloneIn({ value, parent }) {
  const isAlone = parent.children.filter((child) => child.type !== 'JSXText' || child.value.trim() !== '').length === 1;
  return isAlone && !value.includes('&') ? `l10n.t(${JSON.stringify(value.trim().replace(/\s+/gu, ' '))})` : '';
}
