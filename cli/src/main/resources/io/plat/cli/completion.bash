# Completion of plat for bash: source <(plat completion bash)
_plat_complete() {
  local line=${COMP_LINE:0:COMP_POINT} words out directive current prefix candidate quoted
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  mapfile -t out < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
  COMPREPLY=()
  [ "${#out[@]}" -gt 0 ] || return 0
  directive=${out[-1]}
  unset 'out[-1]'
  # Bash takes a word apart at = and :, and replaces only the part after the last of them.
  current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == [=:] ]] && current=
  prefix=${words[-1]%"$current"}
  # Bash inserts a candidate as it is: what stands for more than itself in a command line is quoted.
  for candidate in "${out[@]}"; do
    printf -v quoted %q "${candidate#"$prefix"}"
    COMPREPLY+=("$quoted")
  done
  if [ "$directive" = :0 ]; then compopt -o default 2> /dev/null; fi
  # What ends with = or / goes on.
  if [ "${#COMPREPLY[@]}" -eq 1 ] && [[ ${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace 2> /dev/null; fi
  return 0
}
complete -F _plat_complete plat
