/** What of a page has the keyboard focus. Every page with cards or fields reports it (`extension/focus.ts`). */
import * as z from 'zod/mini';

/**
 * `none`: the focus is not in this page. `card`: a waiting card has it, and no field or form in it, so the answer keys are for this card.
 * `field`: text can be typed or a form is filled in. `page`: anything else in the page.
 */
export const focusPlace = z.enum(['none', 'page', 'card', 'field', 'composer']);
export type FocusPlace = z.infer<typeof focusPlace>;
