package io.plat.review.codec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of the members of an object, in the order in which they are written; reading goes by the same table. */
final class Names {
    private final List<String> names;
    private final Map<String, Integer> positions = new HashMap<>();

    private Names(List<String> names) {
        this.names = names;
        names.forEach(name -> positions.put(name, positions.size()));
    }

    /** At most 64 names. */
    static Names of(String... names) {
        return new Names(List.of(names));
    }

    String at(int position) {
        return names.get(position);
    }

    int size() {
        return names.size();
    }

    /** The position of a name, or -1 where it is none of these. */
    int position(String name) {
        Integer position = positions.get(name);
        return position == null ? -1 : position;
    }
}
