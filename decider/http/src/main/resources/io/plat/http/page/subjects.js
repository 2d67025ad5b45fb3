// Subjects as servers name them.

/** A subject in words. */
export function subjectText(subject) {
  if (subject.everybody) return "everybody";
  const name = subject.namespace ? `${subject.namespace}/${subject.name}` : subject.name;
  return subject.inGroup ? `${name} in ${subject.inGroup}` : name;
}

/** The user of a request about a subject: with the groups that every request of the subject has. */
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

/** A user with the groups that a server would give them. */
export function withGroups(user, ...named) {
  const groups = named.filter(Boolean);
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user);
  if (account) groups.push("system:serviceaccounts", `system:serviceaccounts:${account[1]}`);
  groups.push(user === "system:anonymous" ? "system:unauthenticated" : "system:authenticated");
  return { user, groups: [...new Set(groups)] };
}
