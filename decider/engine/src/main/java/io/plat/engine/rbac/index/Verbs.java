package io.plat.engine.rbac.index;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Verbs as bits: those that servers of this kind use fit into a word, others are compared as text. */
final class Verbs {
    /** All verbs, known or not. */
    static final long ALL = -1L;

    private static final List<String> KNOWN = List.of(
            "get",
            "list",
            "watch",
            "create",
            "update",
            "patch",
            "delete",
            "deletecollection",
            "head",
            "options",
            "post",
            "put",
            "use",
            "bind",
            "escalate",
            "impersonate",
            "approve",
            "sign",
            "attest",
            "proxy",
            "redirect",
            "connect",
            "nominate",
            "evict");

    private static final Map<String, Long> BITS = bits();

    /** How many bits are used; no set of single verbs reaches {@link #ALL}. */
    static final int COUNT = KNOWN.size();

    private Verbs() {}

    private static Map<String, Long> bits() {
        Map<String, Long> bits = new HashMap<>();
        for (String verb : KNOWN) {
            bits.put(verb, 1L << bits.size());
        }
        return bits;
    }

    /** The bit of a verb; 0 for one that is not known. */
    static long bit(String verb) {
        Long bit = BITS.get(verb);
        return bit == null ? 0 : bit;
    }

    /** The bits of those verbs that are known; {@link #ALL} where one is the wildcard. */
    static long mask(Collection<String> verbs) {
        long mask = 0;
        for (String verb : verbs) {
            mask |= verb.equals("*") ? ALL : bit(verb);
        }
        return mask;
    }
}
