/** The status of a session or chat: a number whose bits are one activity and some flags. */

/**
 * Bits of a status. Bits 0–4 are one activity, the bits above are flags.
 * `InProgress` is also set while `InputNeeded`.
 */
export const SessionStatus = {
  Idle: 1,
  Error: 1 << 1,
  InProgress: 1 << 3,
  InputNeeded: (1 << 3) | (1 << 4),
  IsRead: 1 << 5,
  IsArchived: 1 << 6,
} as const;
/** A combination of {@link SessionStatus} bits. Unknown bits are kept. */
export type SessionStatusBits = number;

// Bits 0–4. Bit operators would cut unknown flags above bit 31, so the flags are kept by arithmetic.
const ACTIVITIES = 32;

/** The status itself, or 0 if it is something else. */
export function statusBits(status: unknown): SessionStatusBits {
  return typeof status === 'number' && Number.isSafeInteger(status) && status > 0 ? status : 0;
}

/** Changes the status of a draft or of a new object. It is read once, because a look through a draft costs more than the rest. */
export function changeStatus(holder: { status: SessionStatusBits }, next: (status: SessionStatusBits) => SessionStatusBits): void {
  const { status } = holder;
  const changed = next(statusBits(status));
  if (changed !== status) holder.status = changed;
}

/** The activity of a status (bits 0–4). */
export function activityOf(status: SessionStatusBits): number {
  return status % ACTIVITIES;
}

/** The status with another activity and the same flags. */
export function withActivity(status: SessionStatusBits, activity: number): SessionStatusBits {
  return status - activityOf(status) + activity;
}

/** The status with one flag set or cleared. */
export function withFlag(status: SessionStatusBits, flag: number, on: boolean): SessionStatusBits {
  const isOn = Math.floor(status / flag) % 2 === 1;
  return isOn === on ? status : status + (on ? flag : -flag);
}
