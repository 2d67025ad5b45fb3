package io.plat.tests.apiserver.escalation;

import java.util.List;

/**
 * Somebody who holds something writes a role object.
 *
 * @param number which one it is, for names that belong to it alone
 * @param name what is written, as a sentence
 * @param as the user's name, {@code ""} for one of its own
 * @param groups the user's groups
 * @param ofGroup the group that holds what is held, {@code ""} for the user
 * @param everywhere what is held in all namespaces
 * @param there what is held in the namespace of the object
 * @param elsewhere what is held in another namespace
 * @param dangling whether the user is bound to roles that do not exist
 * @param writes the kind of the object, in lower case
 * @param refers for a binding the kind of its role, or {@code missing}
 * @param aggregates whether the role gathers the rules of others
 * @param label whether the role has a label by which others gather
 * @param grants the rules of the role that is written, bound or gathered
 * @param via the ways that it is written, empty for all
 * @param expect {@code allowed}, {@code refused} or {@code notfound}
 * @param names the lines that the refusal names
 */
record EscalationCase(
        int number,
        String name,
        String as,
        List<String> groups,
        String ofGroup,
        List<String> everywhere,
        List<String> there,
        List<String> elsewhere,
        boolean dangling,
        String writes,
        String refers,
        boolean aggregates,
        boolean label,
        List<String> grants,
        List<Way> via,
        String expect,
        List<String> names) {
    String user() {
        return as.isEmpty() ? "u" + number : as;
    }

    String token() {
        return "token-" + number;
    }

    String namespace() {
        return "n" + number;
    }

    /** The role that a binding gives. */
    String role() {
        return "given-" + number;
    }

    /** The object that is written one way. */
    String self(Way way) {
        return "self-" + number + "-" + way.word();
    }

    boolean namespaced() {
        return !writes.startsWith("cluster");
    }

    boolean binds() {
        return writes.endsWith("binding");
    }

    /** The ways it is written. */
    List<Way> ways() {
        return via.isEmpty() ? List.of(Way.values()) : via;
    }

    @Override
    public String toString() {
        return name;
    }
}
