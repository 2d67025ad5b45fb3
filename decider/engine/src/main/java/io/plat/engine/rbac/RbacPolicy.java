package io.plat.engine.rbac;

import java.util.List;

/**
 * All role objects together.
 *
 * @param roles no two with one key
 * @param bindings no two with one key
 */
public record RbacPolicy(List<RbacRole> roles, List<RbacBinding> bindings) {
    /** No role and no binding. */
    public static final RbacPolicy EMPTY = new RbacPolicy(List.of(), List.of());

    /** Maximum memory of the objects of one source with their index, in bytes: a quarter of the heap, as a reload has two of them. */
    public static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 4;

    /** The maximum, for messages. */
    public static final String LIMIT = (MAX_BYTES >> 20) + " MiB of memory, a quarter of the heap (-Xmx)";

    public RbacPolicy {
        roles = List.copyOf(roles);
        bindings = List.copyOf(bindings);
    }
}
