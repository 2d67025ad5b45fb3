# Completion of plat for bash: source <(plat completion bash)
_plat_words='
@WORDS@
'
# Commands, flags and verbs are listed above; plat itself completes other words.
_plat_complete() {
  local line=${COMP_LINE:0:COMP_POINT} words out=() texts=() directive=:4 current prefix candidate quoted
  local key=plat value= first=: i word name text
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if [ -n "$value" ]; then
      value=
    elif [[ $word == -* ]]; then
      [[ $word == *=* || $_plat_words != *$'\n'"$key $word= "* ]] || value=$word
    elif [[ $_plat_words == *$'\n'"$key $word "* ]]; then
      if [ "$key" = plat ]; then key=$word; else key=$key-$word; fi
    else
      first=
    fi
  done
  current=${words[-1]}
  if [ -z "$value" ] && [[ $current != *=* ]] && [[ $current == -* || $key == plat || $key == pki ||
    -n $first && $_plat_words == *$'\n'"$key: "* ]]; then
    while read -r name word text; do
      word=${word%=}
      if [[ $name == "$key" || $name == "$key:" ]] && [[ $word == "$current"* && ($current == -* && $word == --* || $word != -*) ]]; then
        out+=("$word")
        texts+=("$text")
      fi
    done <<< "$_plat_words"
  else
    mapfile -t out < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
    COMPREPLY=()
    [ "${#out[@]}" -gt 0 ] || return 0
    directive=${out[-1]}
    unset 'out[-1]'
  fi
  COMPREPLY=()
  # Bash splits words at = and :, and replaces only the last part.
  current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == [=:] ]] && current=
  prefix=${words[-1]%"$current"}
  # Bash inserts candidates literally, so special characters are quoted.
  for i in "${!out[@]}"; do
    candidate=${out[i]}
    printf -v quoted %q "${candidate#"$prefix"}"
    # Of several candidates, bash shows a list and inserts only their common prefix.
    if [ "${#out[@]}" -gt 1 ] && [ -n "${texts[i]}" ] && [[ ${COMP_TYPE:-9} != @(37|42) ]]; then
      printf -v quoted '%-24s (%s)' "$quoted" "${texts[i]:0:50}"
    fi
    COMPREPLY+=("$quoted")
  done
  if [ "$directive" = :0 ]; then compopt -o default 2> /dev/null; fi
  # No space after = or /.
  if [ "${#COMPREPLY[@]}" -eq 1 ] && [[ ${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace 2> /dev/null; fi
  return 0
}
complete -o nosort -F _plat_complete plat 2> /dev/null || complete -F _plat_complete plat
