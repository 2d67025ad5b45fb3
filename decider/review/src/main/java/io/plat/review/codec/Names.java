package io.plat.review.codec;

/** Names of the members of an object, in the order in which they are written; reading goes by the same table. */
final class Names {
    private final String[] names;

    private Names(String[] names) {
        this.names = names;
    }

    /** At most 64 names. */
    static Names of(String... names) {
        return new Names(names.clone());
    }

    String at(int position) {
        return names[position];
    }

    int size() {
        return names.length;
    }

    /**
     * The position of a name, or -1 where it is none of these.
     *
     * @param last the position of the member before: members mostly come in the order of the table
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
