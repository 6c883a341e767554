/** The settings of a host as a form, with the test in place of the extension. */
import assert from 'node:assert/strict';
import { type HostConfigMessage, type HostConfigPageMessage, parseHostConfigMessage } from '../../src/webviews/hostConfig/protocol.ts';
import { type ThemeName, themes } from './themes.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

class HostConfigPage extends WebviewPage<HostConfigPageMessage> {
  protected take(message: unknown): HostConfigPageMessage | undefined {
    return parseHostConfigMessage(message);
  }
  async show(message: Partial<HostConfigMessage> = {}): Promise<void> {
    await this.sendAll([{ type: 'config', host: 'build-box', config: { schema, values }, ...message } satisfies HostConfigMessage]);
    await this.settle();
  }
}

const schema = {
  type: 'object' as const,
  properties: {
    region: { type: 'string' as const, title: 'Region', enum: ['eu', 'us'], enumLabels: ['Europe', 'America'] },
    limit: { type: 'number' as const, title: 'Sessions at a time', description: 'More of them wait.' },
    key: { type: 'string' as const, title: 'Key', sensitive: true },
    motto: { type: 'string' as const, title: 'Motto' },
    tools: { type: 'array' as const, title: 'Tools', items: { type: 'string' as const, title: '', enum: ['git', 'npm'] } },
    edition: { type: 'string' as const, title: 'Edition', readOnly: true },
  },
  required: ['limit'],
};
const values = { region: 'eu', limit: 4, key: 'k', motto: 'Onwards', tools: ['git'], edition: 'team' };

describe('the settings of a host', function () {
  this.timeout(60_000);
  let harness: Harness<HostConfigPage>;
  let view: HostConfigPage;

  before(async () => {
    harness = await startWebview('hostConfig', (page) => new HostConfigPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open({ width: 800 })));
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    await view.close();
  });

  const limit = () => view.page.getByLabel('Sessions at a time');
  const sets = () => view.posted.filter((message) => message.type === 'set');

  it('are fields with their values, those that are read-only closed, and a secret one hidden', async () => {
    await view.show();
    assert.equal(await view.page.getByLabel('Region').inputValue(), 'eu');
    assert.equal(await view.page.getByLabel('Key').getAttribute('type'), 'password');
    assert.equal(await view.page.getByLabel('Edition').isDisabled(), true);
    await limit().fill('');
    await limit().press('Tab');
    await view.page.getByText('A value is needed here.').waitFor();
    assert.deepEqual(sets(), []);
  });

  it('are sent when the field is left, and shown as the host takes them', async () => {
    await view.show();
    await limit().fill('6');
    await limit().press('Tab');
    assert.deepEqual(sets(), [{ type: 'set', id: 'limit', value: 6, change: 1 }]);
    assert.equal(await limit().inputValue(), '6');
    await view.show({ config: { schema, values: { ...values, limit: 6 } }, outcome: { id: 'limit', change: 1 } });
    await view.show({ config: { schema, values: { ...values, limit: 7 } } });
    assert.equal(await limit().inputValue(), '7', 'another client has changed it');
  });

  it('keep what is typed while another client changes them, and what the host refuses', async () => {
    await view.show();
    await limit().fill('60');
    await view.show({ config: { schema, values: { ...values, limit: 5, region: 'us' } } });
    assert.equal(await limit().inputValue(), '60');
    assert.equal(await view.page.getByLabel('Region').inputValue(), 'us');
    await limit().press('Tab');
    await view.show({ outcome: { id: 'limit', change: 1, refusal: 'At most 50.' } });
    await view.page.getByText('The host did not take the change: At most 50.').waitFor();
    assert.equal(await limit().inputValue(), '60');
  });

  it('show the old choice again when the host or the user did not want the new one, and say so by field', async () => {
    await view.show();
    const region = view.page.getByLabel('Region');
    await region.selectOption('us');
    await view.show({ outcome: { id: 'region', change: 1, isDeclined: true } });
    await view.page.getByRole('alert').getByText('“Region” keeps its value, as you chose.').waitFor();
    assert.equal(await region.inputValue(), 'eu');
    await limit().fill('60');
    await limit().press('Tab');
    await view.show({ outcome: { id: 'limit', change: 2, refusal: 'At most 50.' } });
    await view.page.getByText('“Sessions at a time” keeps its value. The host did not take the change: At most 50.').waitFor();
    assert.equal(await view.page.getByText('“Region” keeps its value').count(), 1);
    await view.show({ config: { schema, values: { ...values, region: 'us' } } });
    assert.equal(await region.inputValue(), 'us', 'another client has changed it');
    await limit().fill('50');
    assert.equal(await view.page.getByText('At most 50.').count(), 0);
  });

  it('can be emptied where they are not needed', async () => {
    await view.show();
    await view.page.getByLabel('git').uncheck();
    await view.page.getByLabel('Motto').fill('');
    await view.page.getByLabel('Motto').press('Tab');
    assert.deepEqual(sets(), [
      { type: 'set', id: 'tools', value: [], change: 1 },
      { type: 'set', id: 'motto', value: '', change: 2 },
    ]);
    assert.equal(await view.page.getByLabel('git').isChecked(), false);
  });

  it('forget by Escape what was entered in that field alone', async () => {
    await view.show();
    await limit().fill('many');
    await view.page.getByLabel('Motto').fill('Back');
    await view.page.getByLabel('Motto').press('Escape');
    assert.equal(await view.page.getByLabel('Motto').inputValue(), 'Onwards');
    assert.equal(await limit().inputValue(), 'many');
  });

  it('keep what is said about a field apart from its name', async () => {
    await view.show();
    assert.equal(await view.page.getByRole('textbox', { name: 'Sessions at a time (needed)', exact: true }).count(), 1);
    assert.equal(await view.page.getByRole('textbox', { name: 'Edition (cannot be changed)', exact: true }).count(), 1);
  });

  it('say when nothing can be changed, and when there is nothing', async () => {
    await view.show({ locked: 'The host is not connected.' });
    await view.page.getByRole('status').getByText('The host is not connected.').waitFor();
    assert.equal(await limit().isDisabled(), true);
    await view.show({ config: undefined, locked: undefined } as never);
    await view.page.getByText('This host has no settings').waitFor();
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`are accessible in ${theme}`, async () => {
      await view.close();
      view = await harness.open({ width: 800, height: 520, theme });
      await view.show();
      assert.deepEqual(await view.violations(), []);
      await view.screenshot(`host-config-${theme}`);
    });
  }
});
