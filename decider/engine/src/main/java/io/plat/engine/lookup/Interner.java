package io.plat.engine.lookup;

import io.plat.review.ListOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Interner of the strings and lists of one load: role objects repeat the same verbs and resources many thousand times. Not thread-safe; to be
 * discarded after the load.
 */
public final class Interner {
    private final Map<String, String> strings = new HashMap<>();
    private final Map<Texts, List<String>> lists = new HashMap<>();

    /** A list as a key. */
    private record Texts(List<String> texts) implements Comparable<Texts> {
        @Override
        public int compareTo(Texts other) {
            return ListOrder.STRINGS.compare(texts, other.texts);
        }
    }

    /** Returns the canonical instance of a string. */
    public String string(String value) {
        String known = strings.putIfAbsent(value, value);
        return known == null ? value : known;
    }

    /** Returns the canonical instance of a list, which is immutable. */
    public List<String> list(List<String> values) {
        List<String> known = lists.get(new Texts(values));
        if (known == null) {
            known = List.copyOf(values.stream().map(this::string).toList());
            lists.put(new Texts(known), known);
        }
        return known;
    }
}
