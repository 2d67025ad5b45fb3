package io.plat.apiserver.apply;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Fields of a version whose names differ from those in stored objects. {@code managedFields} show the names of the version that was
 * written; field sets are compared under the stored names.
 */
public record FieldNames(String apiVersion, List<Alias> renamed) {
    public static final FieldNames IDENTITY = new FieldNames("", List.of());

    public FieldNames {
        renamed = List.copyOf(renamed);
    }

    /**
     * Renamed field.
     *
     * @param members separately owned members in stored objects, if the version has them as one value; empty if the field differs in its
     *     path only
     */
    public record Alias(List<String> stored, List<String> served, List<String> members) {
        public Alias {
            stored = stored.stream().map(FieldSet::field).toList();
            served = served.stream().map(FieldSet::field).toList();
            members = members.stream().map(FieldSet::field).toList();
        }

        private FieldSet inStored(FieldSet set) {
            FieldSet fields = set.at(served);
            if (fields.isEmpty()) {
                return set;
            }
            if (members.isEmpty()) {
                return without(set, served).union(under(stored, fields));
            }
            Map<String, FieldSet> each = new LinkedHashMap<>();
            members.forEach(member -> each.put(member, FieldSet.LEAF));
            return without(set, served).union(under(stored, FieldSet.of(false, each)));
        }

        private FieldSet inVersion(FieldSet set) {
            FieldSet fields = set.at(stored);
            if (fields.isEmpty()) {
                return set;
            }
            return without(set, stored).union(under(served, members.isEmpty() ? fields : FieldSet.LEAF));
        }
    }

    FieldSet stored(String version, FieldSet fields) {
        return named(version, fields, Alias::inStored);
    }

    FieldSet served(String version, FieldSet fields) {
        return named(version, fields, Alias::inVersion);
    }

    private FieldSet named(String version, FieldSet fields, BiFunction<Alias, FieldSet, FieldSet> naming) {
        FieldSet named = fields;
        if (version.equals(apiVersion)) {
            for (Alias field : renamed) {
                named = naming.apply(field, named);
            }
        }
        return named;
    }

    private static FieldSet without(FieldSet set, List<String> path) {
        String step = path.getFirst();
        FieldSet rest = set.without(Set.of(step));
        if (path.size() == 1) {
            return rest;
        }
        FieldSet inner = without(set.at(step), path.subList(1, path.size()));
        return inner.isEmpty() ? rest : rest.union(FieldSet.of(false, Map.of(step, inner)));
    }

    private static FieldSet under(List<String> path, FieldSet set) {
        FieldSet nested = set;
        for (String step : path.reversed()) {
            nested = FieldSet.of(false, Map.of(step, nested));
        }
        return nested;
    }
}
