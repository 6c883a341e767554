/** Which hosts a sign-in without a named host is for. */

export interface SignInCandidate {
  connected: boolean;
  /** It has an agent that works with an account. */
  takesAccount: boolean;
  /** It refused something for want of one. */
  isRefusing: boolean;
  /** It was given one over this connection. */
  isGiven: boolean;
}

/** Those that ask for an account; where none does, all that take one: the user may want to change it. */
export function signInTargets<H extends SignInCandidate>(hosts: readonly H[]): H[] {
  const able = hosts.filter(({ connected, takesAccount }) => connected && takesAccount);
  const asking = able.filter(({ isRefusing, isGiven }) => isRefusing || !isGiven);
  return asking.length > 0 ? asking : able;
}
