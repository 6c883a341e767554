// `${$}{` stands for the shell's own `${`.
const $ = '$';

/**
 * The part of a function of bash or zsh that makes `$text` fit into a mark: control characters would end the mark early, and a backslash
 * starts an escape. `OutputParser` undoes it.
 */
export const escapeText = String.raw`text=${$}{text//\\/\\\\}
    text=${$}{text//$'\n'/\\x0a}
    text=${$}{text//$'\e'/\\x1b}
    text=${$}{text//$'\a'/\\x07}
    text=${$}{text//$'\x18'/\\x18}
    text=${$}{text//$'\x1a'/\\x1a}`;
