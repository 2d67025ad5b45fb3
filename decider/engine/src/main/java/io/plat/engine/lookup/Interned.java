package io.plat.engine.lookup;

import io.plat.review.ListOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal strings and lists of one load as one: role objects repeat the same few verbs and resources many thousand times. For one
 * thread, and to be let go with the load.
 */
public final class Interned {
    private final Map<String, String> strings = new HashMap<>();
    private final Map<Texts, List<String>> lists = new HashMap<>();

    /** A list as a key. */
    private record Texts(List<String> texts) implements Comparable<Texts> {
        @Override
        public int compareTo(Texts other) {
            return ListOrder.STRINGS.compare(texts, other.texts);
        }
    }

    /** The first string that was equal to this one. */
    public String string(String value) {
        String known = strings.putIfAbsent(value, value);
        return known == null ? value : known;
    }

    /** The first list that was equal to this one, immutable. */
    public List<String> list(List<String> values) {
        List<String> known = lists.get(new Texts(values));
        if (known == null) {
            known = List.copyOf(values.stream().map(this::string).toList());
            lists.put(new Texts(known), known);
        }
        return known;
    }
}
