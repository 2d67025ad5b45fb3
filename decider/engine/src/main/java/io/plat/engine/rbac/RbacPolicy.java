package io.plat.engine.rbac;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of role objects.
 *
 * @param roles the roles, with unique keys
 * @param bindings the bindings, with unique keys
 */
public record RbacPolicy(List<RbacRole> roles, List<RbacBinding> bindings) {
    /** A policy without role objects. */
    public static final RbacPolicy EMPTY = new RbacPolicy(List.of(), List.of());

    /** Maximum memory of the objects of one source with their index, in bytes: a quarter of the heap, as there are two during a reload. */
    public static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 4;

    /** The maximum, for messages. */
    public static final String LIMIT = (MAX_BYTES >> 20) + " MiB of memory, a quarter of the heap (-Xmx)";

    public RbacPolicy {
        roles = List.copyOf(roles);
        bindings = List.copyOf(bindings);
    }

    /** Returns the policy of objects with unique keys. */
    public static RbacPolicy of(Iterable<RbacObject> objects) {
        List<RbacRole> roles = new ArrayList<>();
        List<RbacBinding> bindings = new ArrayList<>();
        for (RbacObject object : objects) {
            switch (object) {
                case RbacRole role -> roles.add(role);
                case RbacBinding binding -> bindings.add(binding);
            }
        }
        return new RbacPolicy(roles, bindings);
    }
}
