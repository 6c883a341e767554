import assert from 'node:assert/strict';
import { withLinks } from './withLinks.ts';

describe('withLinks', () => {
  const links = [
    { label: 'Allow', target: 'command:x?1' },
    { label: 'Deny', target: 'command:x?2' },
  ];

  it('puts the links after the text', () => {
    assert.equal(withLinks('May it?', links), 'May it? [Allow](command:x?1) · [Deny](command:x?2)');
  });

  it('has these links and no others, whatever strangers are called', () => {
    for (const name of ['ci', 'Click [here', '[Deny](command:x?1)', '] [', '[[[']) {
      // As VS Code finds links in notifications.
      const found = [...withLinks(name, links).matchAll(/\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/g)];
      assert.deepEqual(
        found.map(([, label, target]) => ({ label, target })),
        links,
        name,
      );
    }
  });
});
