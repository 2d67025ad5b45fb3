// Texts and user attributes of subjects.

/** Returns the text of a subject. */
export function subjectText(subject) {
  if (subject.everybody) return "everybody";
  const name = subject.namespace ? `${subject.namespace}/${subject.name}` : subject.name;
  return subject.inGroup ? `${name} in ${subject.inGroup}` : name;
}

/** Returns the user of a subject's requests, with the groups that each of them has. */
export function subjectUser(subject) {
  if (subject.everybody) return { user: "(anybody)", groups: [] };
  if (subject.kind === "Group") {
    const own = [subject.name];
    return { user: "", groups: subject.name.startsWith("system:authenticated") || subject.name === "system:unauthenticated" ? own : [...own, "system:authenticated"] };
  }
  if (subject.kind === "ServiceAccount") {
    return withGroups(`system:serviceaccount:${subject.namespace}:${subject.name}`, subject.inGroup);
  }
  return withGroups(subject.name, subject.inGroup);
}

/** Returns a user with the groups that a server adds. */
export function withGroups(user, ...named) {
  const groups = named.filter(Boolean);
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user);
  if (account) groups.push("system:serviceaccounts", `system:serviceaccounts:${account[1]}`);
  groups.push(user === "system:anonymous" ? "system:unauthenticated" : "system:authenticated");
  return { user, groups: [...new Set(groups)] };
}
