import assert from 'node:assert/strict';
import { fromFolder, pageOf, remoteAddress, requestPage, withoutSecrets } from './remoteAddress.ts';

describe('the address of a remote', () => {
  const at = (host: string, repository: string) => ({ isFolder: false, host, repository });
  it('is that of a repository with pages', () => {
    for (const [url, address] of [
      ['https://github.com/me/shop.git', { shown: 'https://github.com/me/shop.git', ...at('github.com', 'me/shop') }],
      ['https://me:t0ken@github.com/me/shop', { shown: 'https://github.com/me/shop', ...at('github.com', 'me/shop') }],
      ['https://t@ken@forge.example:8443/a/b/', { shown: 'https://forge.example:8443/a/b/', ...at('forge.example:8443', 'a/b') }],
      ['https://gitlab.com/group/sub/shop.git', { shown: 'https://gitlab.com/group/sub/shop.git', isFolder: false, host: 'gitlab.com' }],
      ['git@github.com:me/shop.git', { shown: 'github.com:me/shop.git', ...at('github.com', 'me/shop') }],
      ['ssh://git@ssh.github.com:443/me/shop.git', { shown: 'ssh://ssh.github.com:443/me/shop.git', ...at('github.com', 'me/shop') }],
      ['work:me/shop', { shown: 'work:me/shop', ...at('work', 'me/shop') }],
      ['git@h.example:../x', { shown: 'h.example:../x', isFolder: false, host: 'h.example' }],
    ] as const)
      assert.deepEqual(remoteAddress(url), address, url);
  });

  it('may be a folder, which is one from the repository', () => {
    assert.deepEqual(remoteAddress('/srv/shop.git'), { shown: '/srv/shop.git', isFolder: true });
    assert.deepEqual(remoteAddress('file:///srv/shop.git'), { shown: 'file:///srv/shop.git', isFolder: true });
    assert.equal(fromFolder('../shop.git', '/work/shop'), '/work/shop.git');
    for (const url of ['/srv/shop.git', 'https://h.example/a', 'me@h.example:a/b', 'ext::sh -c x'])
      assert.equal(fromFolder(url, '/w'), url);
  });

  it('is refused where a program would be run by it, or it is sent to everybody on the way', () => {
    for (const url of [
      'ext::sh -c touch% ran',
      'ext::git@h.example:a',
      'fd::3',
      'http://h.example/a/b',
      'git://h.example/a',
      'ftp://h.example/a',
    ])
      assert.throws(() => remoteAddress(url), /^UserError: Nothing is pushed by/, url);
    for (const url of ['', '-oProxyCommand=x', 'https://h.example/a\nb', `https://h.example/${'a'.repeat(2_000)}`])
      assert.throws(() => remoteAddress(url), /no proper address/, url);
  });

  it('is shown without secrets, also in what Git says', () => {
    const said = "fatal: unable to access 'https://me:t0k@h.example/a/': no\nTo https://x:y@z@h.example/b@c, ssh://git@h.example/c";
    const shown = "fatal: unable to access 'https://h.example/a/': no\nTo https://h.example/b@c, ssh://h.example/c";
    assert.equal(withoutSecrets(said), shown);
  });
});

describe('the page for a pull request that a remote names', () => {
  const page = (...lines: string[]) => requestPage(lines.join('\n'), 'forge.example');
  it('is the one that it names for that, in the words of each', () => {
    const address = 'https://forge.example/me/shop/pull/new/night';
    assert.equal(
      page(
        'remote: ',
        "remote: Create a pull request for 'night' on Forge by visiting:        ",
        `remote:      ${address}        `,
        'remote: ',
        'remote: Forge found 2 vulnerabilities. To find out more, visit:',
        'remote:      https://forge.example/me/shop/security',
        'To https://forge.example/me/shop',
      ),
      address,
    );
    const gitlab = 'https://forge.example/me/shop/-/merge_requests/new?merge_request%5Bsource_branch%5D=night';
    assert.equal(page('remote:', 'remote: To create a merge request for night, visit:', `remote:   ${gitlab}`), gitlab);
    assert.equal(page(`remote: Create pull request: ${address}`), address);
    assert.equal(page('remote: Visit the existing pull request:\r', `remote:   ${address} merges into main`), address);
  });

  it('is no other page, and none of another host', () => {
    const about = 'remote: Create a pull request by visiting:';
    for (const lines of [
      ['remote: To find out more, visit:', 'remote: https://forge.example/security'],
      [about, 'remote: Thanks.', 'remote: https://forge.example/other'],
      [about, 'remote: http://forge.example/a'],
      [about, 'remote: https://forge.example.evil.example/a'],
      [about, 'remote: https://forge.example@evil.example/a'],
      [about, 'remote: https://me:x@forge.example/a'],
      [about, 'remote: https://forge.example:444/a'],
      [about, 'remote: javascript:alert(1)//https:'],
      [about, `remote: https://forge.example/${'a'.repeat(2_000)}`],
      ['Create a pull request by visiting: https://forge.example/a'],
    ])
      assert.equal(page(...lines), undefined, lines.join('|'));
    assert.equal(requestPage(`${about}\nremote: https://forge.example/a`, undefined), undefined);
    assert.equal(pageOf(undefined, 'forge.example'), undefined);
  });
});
