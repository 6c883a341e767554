/** What a model names as evidence of a goal or a claim. */
import * as z from 'zod';
import { Limit } from '../limits.ts';

const kinds = ['fileExists', 'fileContains', 'fileMatches', 'jsonEquals', 'streamContains', 'command'] as const;

const hasNoNul = (value: string) => !value.includes('\0');
const path = z.string().min(1).max(4096).refine(hasNoNul, 'must not hold a NUL');
const text = z.string().min(1).max(Limit.evidenceText);
const pattern = z.string().min(1).max(Limit.patternLength);
/** RFC 6901. The empty one is the whole document. */
const pointer = z
  .string()
  .max(1000)
  .refine(
    (given) => given === '' || (given.startsWith('/') && !/~(?![01])/.test(given)),
    'is not a JSON Pointer: write it as "/scripts/test", with ~1 for a / and ~0 for a ~ in a name',
  );
const value = z.unknown().refine((given) => (JSON.stringify(given) ?? '').length <= Limit.evidenceText, 'is too large');
const stream = z.string().min(1).max(Limit.nameLength);
const provider = z.string().min(1).max(Limit.nameLength);
const command = z.string().min(1).max(Limit.emitterText);
/** Windows has codes of 32 bits. */
const exitCode = z
  .number()
  .int()
  .min(-(2 ** 31))
  .max(2 ** 32);
const output = z
  .string()
  .max(Limit.evidenceText)
  .refine((given) => given.trimEnd().split('\n').length <= Limit.evidenceLines, `must not have more than ${Limit.evidenceLines} lines`);

/** As it is described to a model: models fill in one flat object more surely than one of several shapes. */
const flat = z.strictObject({
  kind: z
    .enum(kinds)
    .describe(
      'fileExists {path}; fileContains {path, text}; fileMatches {path, pattern}; jsonEquals {path, pointer, value}; streamContains {stream, text, provider?}; command {command, exitCode, output?, text?, expectExitCode?}',
    ),
  path: path.optional().describe('Of a file: relative to the folder of the session, and inside it'),
  text: text
    .optional()
    .describe(
      'Exact text, upper and lower case as they are. Of fileContains, streamContains, and of command: what its output must contain',
    ),
  pattern: pattern.optional().describe('Of fileMatches: regular expression (RE2), found anywhere in one line'),
  pointer: pointer.optional().describe('Of jsonEquals: JSON Pointer, such as "/scripts/test" or "/items/0/name"; "" for the whole file'),
  value: value.optional().describe('Of jsonEquals: the JSON value that must be there'),
  stream: stream.optional().describe('Of streamContains: name of the event stream, as tap_list_streams has it'),
  provider: provider.optional().describe('Of streamContains: whose stream it is, where several have one of this name'),
  command: command.optional().describe('Of command: exactly the command line that you have run in this session. It is not run again'),
  exitCode: exitCode.optional().describe('Of command: the exit code that you have seen'),
  output: output.optional().describe(`Of command: the lines of its output that matter, word for word, at most ${Limit.evidenceLines}`),
  expectExitCode: exitCode.optional().describe('Of command: the exit code that means success, where it is not 0'),
});

const exact = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fileExists'), path }),
  z.strictObject({ kind: z.literal('fileContains'), path, text }),
  z.strictObject({ kind: z.literal('fileMatches'), path, pattern }),
  z.strictObject({
    kind: z.literal('jsonEquals'),
    path,
    pointer,
    value: value.refine((given) => given !== undefined, 'is missing: jsonEquals needs it'),
  }),
  z.strictObject({ kind: z.literal('streamContains'), stream, text, provider: provider.optional() }),
  z.strictObject({
    kind: z.literal('command'),
    command,
    exitCode,
    output: output.optional(),
    text: text.optional(),
    expectExitCode: exitCode.default(0),
  }),
]);
export type EvidenceCheck = z.output<typeof exact>;

export const evidenceCheck = flat.transform((given, context): EvidenceCheck => {
  const { data, error } = exact.safeParse(given);
  if (data) return data;
  const [issue] = error.issues;
  const field = String(issue?.path[0] ?? 'kind');
  const isMissing = issue?.code === 'invalid_type' && !Object.hasOwn(given, field);
  const extra = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  context.addIssue({
    code: 'custom',
    path: [extra ?? field],
    message:
      extra !== undefined
        ? `is not for ${given.kind}`
        : isMissing
          ? `is missing: ${given.kind} needs it`
          : (issue?.message ?? 'is not valid'),
  });
  return z.NEVER;
});
