/** What stands around every part of the page: the navigation, and what is wrong. On a phone the navigation is a bar at the bottom. */
import * as l10n from '../../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import type { PortalArea, PortalView } from '../../../views/portal/page/portalAddress.ts';
import { viewHref } from '../../../views/portal/page/portalAddress.ts';

const links: readonly { area: PortalArea; name: string; icon: string; view: PortalView }[] = [
  { area: 'needsYou', name: l10n.t('Needs You'), icon: 'bell', view: { kind: 'needsYou' } },
  { area: 'runs', name: l10n.t('Runs'), icon: 'run-all', view: { kind: 'runs' } },
  { area: 'sessions', name: l10n.t('Sessions'), icon: 'comment-discussion', view: { kind: 'sessions' } },
  { area: 'jobs', name: l10n.t('Jobs'), icon: 'rocket', view: { kind: 'jobs' } },
  { area: 'watched', name: l10n.t('Watched'), icon: 'eye', view: { kind: 'watched' } },
];

interface FrameProps {
  area: PortalArea | undefined;
  /** How many things wait for the user, as text. Empty: nothing. */
  waiting: string;
  /** Each for the user, as sentences. */
  problems: readonly string[];
  children: ComponentChildren;
}

export function Frame({ area, waiting, problems, children }: FrameProps) {
  return (
    <div class="frame">
      <header class="rail">
        <h1>
          {'Tapline'} <span class="rail-rest">{l10n.t('portal')}</span>
        </h1>
        <nav aria-label={l10n.t('Portal')}>
          <ul>
            {links.map(({ area: own, name, icon, view }) => (
              <li key={own}>
                <a href={viewHref(view)} aria-current={own === area ? 'page' : undefined}>
                  <span class={`codicon codicon-${icon}`} aria-hidden="true" />
                  <span class="rail-name">{name}</span>
                  {own === 'needsYou' && waiting !== '' && <span class="rail-count"> {waiting}</span>}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main>
        <div role="alert" class="problems">
          {problems.map((text) => (
            <p key={text} class="problem">
              {text}
            </p>
          ))}
        </div>
        {children}
      </main>
    </div>
  );
}
