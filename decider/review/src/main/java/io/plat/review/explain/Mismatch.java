package io.plat.review.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * An attribute of a request that a grant does not match. A set of them is an int of their {@link #bit bits}, as one is made for
 * every rule of a policy.
 */
public enum Mismatch {
    /** The user: for role objects the user name and every group, for a policy line the user name. */
    USER("user", 1 << 0),
    /** A policy line's group is none of the user's. */
    GROUP("group", 1 << 1),
    /** The verb; of a policy line that only reads, every other verb. */
    VERB("verb", 1 << 2),
    /** The API group of the resource. */
    API_GROUP("apiGroup", 1 << 3),
    RESOURCE("resource", 1 << 4),
    /** The resource is matched, with another subresource or without one. */
    SUBRESOURCE("subresource", 1 << 5),
    /** The grant is limited to objects of other names. */
    NAME("name", 1 << 6),
    /** The namespace: the grant is for another one; for a path, the grant is for one. */
    NAMESPACE("namespace", 1 << 7),
    PATH("path", 1 << 8);

    private static final Mismatch[] ALL = values();

    private final String word;
    private final int bit;

    Mismatch(String word, int bit) {
        this.word = word;
        this.bit = bit;
    }

    /** The word for it in an answer. */
    public String word() {
        return word;
    }

    public int bit() {
        return bit;
    }

    /** Its bit, or none where the attribute is matched. */
    public int unless(boolean matches) {
        return matches ? 0 : bit;
    }

    /** The words of a set, in the order of the attributes. */
    public static List<String> words(int set) {
        List<String> words = new ArrayList<>(Integer.bitCount(set));
        for (Mismatch lack : ALL) {
            if ((set & lack.bit) != 0) {
                words.add(lack.word);
            }
        }
        return words;
    }
}
