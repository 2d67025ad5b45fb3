package io.plat.review.codec;

/** Names of the members of an object, in the order of writing. Reading uses the same table. */
public final class MemberNames {
    private final String[] names;

    private MemberNames(String[] names) {
        this.names = names;
    }

    /** Returns a table of at most 64 names. */
    public static MemberNames of(String... names) {
        return new MemberNames(names.clone());
    }

    String at(int position) {
        return names[position];
    }

    int size() {
        return names.length;
    }

    /**
     * Returns the position of a name, or -1 if it is unknown.
     *
     * @param last the position of the previous member: members usually have the order of the table
     */
    int position(String name, int last) {
        for (int i = last + 1; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        for (int i = Math.min(last, names.length - 1); i >= 0; i--) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
