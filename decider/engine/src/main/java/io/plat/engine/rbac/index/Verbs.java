package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Verbs as bits: those of Kubernetes fit into a long, others are compared as strings. */
final class Verbs {
    /** All verbs, including unknown ones; distinct from any set of single verbs. */
    static final long ALL = -1L;

    private static final Map<String, Long> BITS = new HashMap<>();

    static {
        String known =
                "get list watch create update patch delete deletecollection head options post put use bind escalate"
                        + " impersonate approve sign attest proxy redirect connect nominate evict";
        for (String verb : known.split(" ", -1)) {
            BITS.put(verb, 1L << BITS.size());
        }
    }

    private Verbs() {}

    /** Returns the bit of a verb; 0 if it is unknown. */
    static long bit(String verb) {
        Long bit = BITS.get(verb);
        return bit == null ? 0 : bit;
    }

    /** Returns the bits of known verbs; {@link #ALL} if one is the wildcard. */
    static long mask(Collection<String> verbs) {
        long mask = 0;
        for (String verb : verbs) {
            mask |= verb.equals(RbacRule.ALL) ? ALL : bit(verb);
        }
        return mask;
    }
}
