/**
 * What interactive fish (3.0 or later) runs after the user's own configuration. The marks are those of bash.ts; fish has events for all
 * of them, so nothing of the user's is changed.
 */
export const fishScript = String.raw`# Tapline shell integration for fish.
set -g __tapline_nonce $TAPLINE_SHELL_NONCE
set -e TAPLINE_SHELL_NONCE

if status is-interactive; and test -n "$__tapline_nonce"
    function __tapline_mark
        builtin printf '\e]633;%s;%s%s\a' $argv[1] $__tapline_nonce "$argv[2]"
    end

    # Control characters would end the mark early; a backslash starts an escape.
    function __tapline_escape
        set -l lines (string split \n -- $argv[1] | string replace -a '\\' '\\\\' | string replace -a \e '\\x1b' | string replace -a \a '\\x07' | string replace -a \x18 '\\x18' | string replace -a \x1a '\\x1a')
        string join '\\x0a' -- $lines
    end

    function __tapline_executed --on-event fish_preexec
        __tapline_mark C ";"(__tapline_escape (string sub -l 8192 -- $argv[1] | string collect))
    end

    function __tapline_finished --on-event fish_postexec
        __tapline_mark D ";$status"
    end

    function __tapline_prompted --on-event fish_prompt
        __tapline_mark P ";"(__tapline_escape $PWD)
    end

    __tapline_mark A
end
`;
