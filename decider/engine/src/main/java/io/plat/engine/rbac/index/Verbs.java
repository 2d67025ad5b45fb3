package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Verbs as bits: those that servers use fit into a word, others are compared as text. */
final class Verbs {
    /** All verbs, known or not; no set of single verbs reaches it. */
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

    /** The bit of a verb; 0 for one that is not known. */
    static long bit(String verb) {
        Long bit = BITS.get(verb);
        return bit == null ? 0 : bit;
    }

    /** The bits of those verbs that are known; {@link #ALL} where one is the wildcard. */
    static long mask(Collection<String> verbs) {
        long mask = 0;
        for (String verb : verbs) {
            mask |= verb.equals(RbacRule.ALL) ? ALL : bit(verb);
        }
        return mask;
    }
}
