# Completion of plat for fish: plat completion fish > ~/.config/fish/completions/plat.fish
set -g __plat_words '
@WORDS@
'
# Commands and flags are listed above; plat itself completes other words.
function __plat_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l current $words[-1]
    set -l key plat
    set -l value
    for word in $words[2..-2]
        if test -n "$value"
            set value
        else if string match -q -- '-*' $word
            if not string match -q -- '*=*' $word; and string match -q -- "*
$key $word= *" "$__plat_words"
                set value $word
            end
        else if string match -q -- "*
$key $word *" "$__plat_words"
            test $key = plat; and set key $word; or set key $key-$word
        end
    end
    if test -z "$value"; and not string match -q -- '*=*' "$current"
        if string match -q -- '-*' "$current"
            string match -r -- "^$key --.*" (string split \n -- "$__plat_words") | string replace -r '^\S+ ([^ =]+)=? ' '$1\t'
            return
        else if contains $key plat pki
            string match -r -- "^$key [^-].*" (string split \n -- "$__plat_words") | string replace -r '^\S+ ([^ =]+)=? ' '$1\t'
            return
        end
    end
    set -l out ($words[1] __complete $words[2..-1] 2> /dev/null)
    test (count $out) -gt 0; or return
    if test (count $out) -gt 1
        printf '%s\n' $out[1..-2]
    end
    if test $out[-1] = :0
        __fish_complete_path (commandline -ct)
    end
end
complete -c plat -f -a '(__plat_complete)'
