/** Who may change or stop an emitter. */
import type { Ownership } from '../../tap/wire/emitters/emitterSpec.ts';

export type Actor = 'user' | 'model';

/** `ask`: if the user says yes to it now, and then the emitter is the model's. A text: why not. */
export function mayChange(
  { name, ownership }: { readonly name: string; readonly ownership: Ownership },
  by: Actor,
  transferOwnership = false,
): 'yes' | 'ask' | { readonly refused: string } {
  if (by === 'user' || ownership === 'modelOwned') return 'yes';
  if (transferOwnership) return 'ask';
  return {
    refused: `${JSON.stringify(name)} belongs to the user. Where it matters, say "transferOwnership": true, and the user is asked to hand it over`,
  };
}
