package io.plat.review.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * An attribute of a request that a grant does not match. A set of them is represented as an int of their {@link #bit bits}, as one is computed for
 * every rule of a policy.
 */
public enum Mismatch {
    /** The user: for RBAC the user name and all groups, for a policy line the user name. */
    USER("user", 1 << 0),
    /** The group of a policy line. */
    GROUP("group", 1 << 1),
    /** The verb; for a readonly policy line, any verb that does not read. */
    VERB("verb", 1 << 2),
    /** The API group of the resource. */
    API_GROUP("apiGroup", 1 << 3),
    RESOURCE("resource", 1 << 4),
    /** The resource matches, but not the subresource. */
    SUBRESOURCE("subresource", 1 << 5),
    /** The grant is limited to objects of other names. */
    NAME("name", 1 << 6),
    /** The namespace. For a path: the grant is limited to a namespace. */
    NAMESPACE("namespace", 1 << 7),
    PATH("path", 1 << 8);

    private static final Mismatch[] ALL = values();

    private final String word;
    private final int bit;

    Mismatch(String word, int bit) {
        this.word = word;
        this.bit = bit;
    }

    /** Returns its name in responses. */
    public String word() {
        return word;
    }

    public int bit() {
        return bit;
    }

    /** Returns its bit, or 0 if the attribute matches. */
    public int unless(boolean matches) {
        return matches ? 0 : bit;
    }

    /** Returns the names of a set, in the order of the attributes. */
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
