/** The rule of ESLint that every regular expression takes linear time, because most of them read texts of strangers. */
import { regexProblem } from './regexVerdict.mjs';

export const linearRegex = {
  meta: {
    type: 'problem',
    // The expressions, as they stand in the source, that may stay in the file.
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: {
      notLinear:
        'This pattern can take more than linear time ({{problem}}). Use indexOf, split or src/base/text, or list it in scripts/lint/regexExceptions.mjs with the reason why it is safe.',
      notConstant:
        'This pattern is not constant, so nobody can judge it here. One that is not ours belongs to RE2 (src/base/node/patterns/linearPattern.ts).',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const [exceptions = []] = context.options;
    const check = (node, source, flags) => {
      if (exceptions.includes(sourceCode.getText(node))) return;
      if (source === undefined || flags === undefined) return context.report({ node, messageId: 'notConstant' });
      const problem = regexProblem(source, flags);
      if (problem !== undefined) context.report({ node, messageId: 'notLinear', data: { problem } });
    };
    return {
      'Literal[regex]': (node) => check(node, node.regex.pattern, node.regex.flags),
      ':matches(NewExpression, CallExpression)[callee.name="RegExp"]': (node) => {
        const [source, flags] = node.arguments;
        check(node, constantText(source, sourceCode), flags ? constantText(flags, sourceCode) : '');
      },
    };
  },
};

/** Also of templates, `String.raw` and names that hold such texts. Undefined for anything else. */
function constantText(node, sourceCode) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return joined(node, 'cooked', sourceCode);
    case 'TaggedTemplateExpression':
      return sourceCode.getText(node.tag) === 'String.raw' ? joined(node.quasi, 'raw', sourceCode) : undefined;
    case 'Identifier': {
      const variable = sourceCode.getScope(node).references.find(({ identifier }) => identifier === node)?.resolved;
      const [definition] = variable?.defs ?? [];
      return definition?.parent?.kind === 'const' ? constantText(definition.node.init, sourceCode) : undefined;
    }
    default:
      return undefined;
  }
}

function joined({ quasis, expressions }, form, sourceCode) {
  const parts = expressions.map((expression) => constantText(expression, sourceCode));
  if (parts.includes(undefined)) return undefined;
  return quasis.map(({ value }, at) => value[form] + (parts[at] ?? '')).join('');
}
