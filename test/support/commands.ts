/** Command lines that try to be read as others than they are, for properties. */
import fc from 'fast-check';

/** What JSON parsers, terminals and eyes take for something else. */
const pieces = fc.constantFrom(
  '{"command":"$(touch X)","command":"npm test"}',
  '{"command":"rm -rf build"}',
  '{\n  "input": "yes{enter}"\n}',
  '{"url":"https://a.example","url":"https://b.example"}',
  '{"n":12345678901234567890}',
  '{"a":"\\u0041"}',
  '"command"',
  'npm test',
  '$(touch X)',
  '{enter}',
  '{ctrl-c}',
  'U+202E',
  'U+200B ×3',
  ' \\ \nrm',
  '\r',
  '\r\n',
  '\n\n\n\n',
  '\t',
  '   ',
  '\u202e',
  '\u2066x\u2069',
  '\u200b\u200b',
  '\u00a0',
  '\u2800',
  '\u3164',
  '\u0007',
  '\u001b[8m',
  '\u007f',
  '\ufeff',
  '\u{e0041}',
  '\u05d0 1 2',
  '🙂',
  "'",
  '"',
  '\\',
);

const member = fc.tuple(
  fc.constantFrom('command', 'url', 'input', 'path', '1', '__proto__'),
  fc.oneof(pieces, fc.integer(), fc.constant(null)),
);
/** JSON with members twice, in any spelling. */
const jsonLike = fc
  .tuple(fc.array(member, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '\n  ', ' ', '\n'))
  .map(
    ([members, space]) =>
      `{${members.map(([name, value]) => `${space}"${name}":${space && ' '}${JSON.stringify(value)}`).join(',')}${space.trim() === '' && space.startsWith('\n') ? '\n' : ''}}`,
  );

/** Any text that can be given to a shell: not empty, no U+0000, no half characters. */
export const commandText: fc.Arbitrary<string> = fc
  .oneof(
    jsonLike,
    fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  )
  .filter((text) => text !== '' && !/[\0\p{Cs}]/u.test(text));
