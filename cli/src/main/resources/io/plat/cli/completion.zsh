#compdef plat
# Completion of plat for zsh: put it into a folder of $fpath as _plat, or source <(plat completion zsh)
_plat() {
  local -a out
  local directive
  out=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  (( ${#out} )) || return 1
  directive=${out[-1]}
  out=("${(@)out[1,-2]}")
  (( ${#out} )) && compadd -- "${out[@]}"
  [[ $directive == :0 ]] && _files
  return 0
}
if [ "$funcstack[1]" = "_plat" ]; then _plat "$@"; else compdef _plat plat; fi
