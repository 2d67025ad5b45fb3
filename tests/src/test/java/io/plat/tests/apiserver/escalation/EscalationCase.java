package io.plat.tests.apiserver.escalation;

import java.util.List;

/**
 * A user with permissions writes a role object.
 *
 * @param number number, for unique names
 * @param name description of the write
 * @param as user name, {@code ""} for a generated one
 * @param groups groups of the user
 * @param ofGroup group that holds the permissions, {@code ""} for the user
 * @param everywhere permissions in all namespaces
 * @param there permissions in the namespace of the object
 * @param elsewhere permissions in another namespace
 * @param dangling whether the user is bound to missing roles
 * @param writes kind of the object, in lower case
 * @param refers for a binding the kind of its role, or {@code missing}
 * @param aggregates whether the role is aggregated
 * @param label whether the role has a label that an aggregated role selects
 * @param grants rules of the role that is written, bound or aggregated
 * @param via methods of the write, empty for all
 * @param expect {@code allowed}, {@code refused} or {@code notfound}
 * @param names lines that the denial names
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
        List<WriteMethod> via,
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

    /** Returns the role of a binding. */
    String role() {
        return "given-" + number;
    }

    /** Returns the name of the object for a method. */
    String self(WriteMethod method) {
        return "self-" + number + "-" + method.word();
    }

    boolean namespaced() {
        return !writes.startsWith("cluster");
    }

    boolean binds() {
        return writes.endsWith("binding");
    }

    /** Returns the methods. */
    List<WriteMethod> methods() {
        return via.isEmpty() ? List.of(WriteMethod.values()) : via;
    }

    @Override
    public String toString() {
        return name;
    }
}
