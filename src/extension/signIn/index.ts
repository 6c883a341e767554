/** Says when a host needs a token that it has not got. */
import { systemClock } from '../../base/clock.ts';
import type { GitHubAccount } from '../models/gitHubAccount.ts';
import type { WindowServices } from '../windowServices.ts';
import type { ResourceSignIn } from './resourceSignIn.ts';
import { SignInNotices } from './signInNotices.ts';

export function registerSignInNotices({ hosts, notifications, own }: WindowServices, account: GitHubAccount, signIn: ResourceSignIn): void {
  own(
    new SignInNotices({
      hosts,
      clock: systemClock,
      giveAgain: (host, resource) => account.giveAgainTo(host, resource),
      signIn: (host, resource) => (account.covers(host, resource) ? account.signInAgain(host) : signIn.signIn(host, { resource })),
      show: (notification) => notifications.show(notification),
    }),
  );
}
