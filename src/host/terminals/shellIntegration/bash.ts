/**
 * The start file for interactive bash (4.4 or later; older ones get no marks). It reads the user's own ~/.bashrc first and then
 * reports prompts and commands with marks of the form `ESC ] 633 ; <letter> ; <nonce> [; payload] BEL` (see outputParser.ts).
 *
 * - It never changes history settings, traps, aliases or the look of the prompt. PS0 announces commands; no DEBUG trap is taken.
 * - The nonce comes by the environment and is taken out of it at once, so that programs in the terminal do not inherit it.
 * - A command that is not in the history (a leading space under HISTCONTROL) or repeats the last entry is announced without its text;
 *   the host then reads what was echoed.
 */

import { escapeText } from './escapeText.ts';

// In the template, `${$}{` stands for the shell's own `${`.
const $ = '$';

export const bashScript = String.raw`# Tapline shell integration for bash.
__tapline_nonce=${$}{TAPLINE_SHELL_NONCE-}
unset TAPLINE_SHELL_NONCE

if [ -r ~/.bashrc ]; then
  . ~/.bashrc
fi

if [ -n "$__tapline_nonce" ] && [[ $- == *i* ]] && ((BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4))); then
  __tapline_entry=
  __tapline_prompt=

  __tapline_mark() {
    builtin printf '\e]633;%s\a' "$1;$__tapline_nonce${$}{2-}"
  }

  __tapline_escape() {
    local text=$1
    ${escapeText}
    builtin printf '%s' "$text"
  }

  # Runs in the subshell of PS0, so that it changes nothing in this one.
  __tapline_executed() {
    local entry line
    entry=$(HISTTIMEFORMAT= builtin history 1)
    if [[ -n $entry && $entry != "$__tapline_entry" && $entry =~ ^\ *[0-9]+\*?\ \ ?(.*)$ ]]; then
      line=${$}{BASH_REMATCH[1]}
      __tapline_mark C ";$(__tapline_escape "${$}{line:0:8192}")"
    else
      __tapline_mark C
    fi
  }

  # First of the prompt commands: sees the command's status and leaves it to the others.
  __tapline_finished() {
    local status=$?
    __tapline_mark D ";$status"
    return $status
  }

  # Last of them: what they made of PS1 is there.
  __tapline_prompted() {
    local status=$?
    __tapline_entry=$(HISTTIMEFORMAT= builtin history 1)
    __tapline_mark P ";$(__tapline_escape "$PWD")"
    if [[ ${$}{PS1-} != "$__tapline_prompt" ]]; then
      __tapline_prompt=${$}{PS1-}'\[$(__tapline_mark B)\]'
      PS1=$__tapline_prompt
    fi
    return $status
  }

  if [[ $(builtin declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__tapline_finished "${$}{PROMPT_COMMAND[@]}" __tapline_prompted)
  else
    PROMPT_COMMAND=__tapline_finished$'\n'${$}{PROMPT_COMMAND-}$'\n'__tapline_prompted
  fi
  PS0=${$}{PS0-}'$(__tapline_executed)'
  __tapline_mark A
fi
`;
