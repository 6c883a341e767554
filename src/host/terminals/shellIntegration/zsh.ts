/**
 * The start files for interactive zsh (5.1 or later). zsh reads them because ZDOTDIR points to their folder; they hand ZDOTDIR back to
 * what it was and read the user's own files at the moments when zsh would have. The marks are those of bash.ts.
 *
 * - Hooks are added to precmd and preexec beside the user's. The prompt stays as it is: zsh knows the text of every command, so nothing
 *   has to be read from the echo.
 * - The nonce comes by the environment and is taken out of it before anything of the user's runs.
 */

import { escapeText } from './escapeText.ts';

// In the templates, `${$}{` stands for the shell's own `${`.
const $ = '$';

export const zshEnv = String.raw`# Tapline shell integration for zsh.
typeset -g __tapline_nonce="${$}{TAPLINE_SHELL_NONCE-}" __tapline_folder="$ZDOTDIR"
unset TAPLINE_SHELL_NONCE
if [[ -n "${$}{TAPLINE_USER_ZDOTDIR-}" ]]; then
  ZDOTDIR="$TAPLINE_USER_ZDOTDIR"
else
  unset ZDOTDIR
fi
unset TAPLINE_USER_ZDOTDIR
if [[ -r "${$}{ZDOTDIR:-$HOME}/.zshenv" ]]; then
  . "${$}{ZDOTDIR:-$HOME}/.zshenv"
fi
# The user's file may have set it: what it says counts from now on.
typeset -g __tapline_zdotdir="${$}{ZDOTDIR-}"
ZDOTDIR="$__tapline_folder"
`;

export const zshRc = String.raw`# Tapline shell integration for zsh.
# The system's file may have put the history into the folder of these files.
if [[ "${$}{HISTFILE-}" == "$__tapline_folder"/* ]]; then
  HISTFILE="${$}{__tapline_zdotdir:-$HOME}/${$}{HISTFILE##*/}"
fi
if [[ -n "$__tapline_zdotdir" ]]; then
  ZDOTDIR="$__tapline_zdotdir"
else
  unset ZDOTDIR
fi
unset __tapline_zdotdir __tapline_folder
if [[ -r "${$}{ZDOTDIR:-$HOME}/.zshrc" ]]; then
  . "${$}{ZDOTDIR:-$HOME}/.zshrc"
fi

if [[ -n "$__tapline_nonce" ]]; then
  __tapline_mark() {
    builtin printf '\e]633;%s\a' "$1;$__tapline_nonce${$}{2-}"
  }

  __tapline_escape() {
    emulate -L zsh
    local text=$1
    ${escapeText}
    builtin print -rn -- "$text"
  }

  __tapline_executed() {
    emulate -L zsh
    if [[ -n $1 ]]; then
      __tapline_mark C ";$(__tapline_escape "${$}{1[1,8192]}")"
    else
      __tapline_mark C
    fi
  }

  # First of the hooks: sees the command's status and leaves it to the others.
  __tapline_finished() {
    local __tapline_status=$?
    __tapline_mark D ";$__tapline_status"
    __tapline_mark P ";$(__tapline_escape "$PWD")"
    return $__tapline_status
  }

  typeset -ga precmd_functions preexec_functions
  precmd_functions=(__tapline_finished $precmd_functions)
  preexec_functions=(__tapline_executed $preexec_functions)
  __tapline_mark A
fi
`;
