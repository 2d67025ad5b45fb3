#compdef plat
# Completion of plat for zsh: put it into a directory of $fpath as _plat, or source <(plat completion zsh)
_plat_words='
@WORDS@
'
# Commands and flags are in the words above; other words come from plat itself.
_plat() {
  local -a out described
  local directive key=plat value= current=${words[CURRENT]} i word name text
  for ((i = 2; i < CURRENT; i++)); do
    word=${words[i]}
    if [[ -n $value ]]; then
      value=
    elif [[ $word == -* ]]; then
      [[ $word == *=* || $_plat_words != *$'\n'"$key $word= "* ]] || value=$word
    elif [[ $_plat_words == *$'\n'"$key $word "* ]]; then
      if [[ $key == plat ]]; then key=$word; else key=$key-$word; fi
    fi
  done
  if [[ -z $value && $current != *=* && ( $current == -* || $key == plat || $key == pki ) ]]; then
    while read -r name word text; do
      word=${word%=}
      if [[ $name == $key ]] && [[ $current == -* && $word == --* || $current != -* && $word != -* ]]; then
        described+=("${word//:/\\:}:$text")
      fi
    done <<< "$_plat_words"
    _describe -o plat described
    return
  fi
  out=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  (( ${#out} )) || return 1
  directive=${out[-1]}
  out=("${(@)out[1,-2]}")
  (( ${#out} )) && compadd -- "${out[@]}"
  [[ $directive == :0 ]] && _files
  return 0
}
if [ "$funcstack[1]" = "_plat" ]; then _plat "$@"; else compdef _plat plat; fi
