/** Linear in the text, but with two hundred of states for each character, and a text for which no shortcut helps. */
export const slowPattern = '[ab]*a[ab]{200}c';

let seed = 1;
const random = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16;
export const slowText = `c ${Array.from({ length: 200_000 }, () => (random() & 1 ? 'a' : 'b')).join('')} c`;
