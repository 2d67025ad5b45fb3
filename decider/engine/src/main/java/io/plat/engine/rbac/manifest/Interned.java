package io.plat.engine.rbac.manifest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Equal strings and lists of one load as one: manifests repeat the same few verbs and resources many thousand times. */
final class Interned {
    private final Map<String, String> strings = new HashMap<>();
    private final Map<List<String>, List<String>> lists = new HashMap<>();

    String string(String value) {
        String known = strings.putIfAbsent(value, value);
        return known == null ? value : known;
    }

    List<String> list(List<String> values) {
        List<String> known = lists.get(values);
        if (known == null) {
            known = List.copyOf(values.stream().map(this::string).toList());
            lists.put(known, known);
        }
        return known;
    }
}
