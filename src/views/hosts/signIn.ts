/** Which hosts get the account when the user signs in without choosing a host. */

export interface SignInCandidate {
  connected: boolean;
  /** It has an agent that uses a GitHub account. */
  takesAccount: boolean;
  /** It refused something because no account was given. */
  isRefusing: boolean;
  /** It got one over the current connection. */
  isGiven: boolean;
}

/** The hosts that ask for an account. If none does, all that use one, because the user may want to change it. */
export function signInTargets<H extends SignInCandidate>(hosts: readonly H[]): H[] {
  const able = hosts.filter(({ connected, takesAccount }) => connected && takesAccount);
  const asking = able.filter(({ isRefusing, isGiven }) => isRefusing || !isGiven);
  return asking.length > 0 ? asking : able;
}
