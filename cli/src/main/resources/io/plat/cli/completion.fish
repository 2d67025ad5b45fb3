# Completion of plat for fish: plat completion fish > ~/.config/fish/completions/plat.fish
function __plat_complete
    set -l words (commandline -opc) (commandline -ct)
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
