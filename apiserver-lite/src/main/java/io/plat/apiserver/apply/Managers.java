package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Owners of an object's fields: the contents of {@code metadata.managedFields}. Not thread-safe. */
final class Managers {
    /** Maximum number of updaters; beyond it, the earliest are merged. */
    static final int MAX_UPDATERS = 10;

    private static final String MERGED_UPDATERS = "ancient-changes";
    private static final String FIELDS = "FieldsV1";

    /**
     * Fields of one owner.
     *
     * @param time time of the last write, as in metadata; {@code ""} if unknown
     */
    record Entry(FieldOwner manager, FieldSet fields, String time) {}

    private final List<Entry> all;

    private Managers(List<Entry> all) {
        this.all = all;
    }

    static Managers none() {
        return new Managers(new ArrayList<>());
    }

    /** Reads a list, with fields under the names of stored objects; empty if the list is malformed. */
    static Optional<Managers> read(JsonNode list, FieldNames names) {
        var all = new ArrayList<Entry>();
        try {
            for (JsonNode entry : list) {
                if (!entry.path("fieldsType").asText("").equals(FIELDS)) {
                    return Optional.empty();
                }
                var manager = new FieldOwner(
                        entry.path("manager").asText(""),
                        entry.path("operation").asText(""),
                        entry.path("apiVersion").asText(""),
                        entry.path("subresource").asText(""));
                if (!manager.applies() && !manager.operation().equals(FieldOwner.UPDATE)) {
                    return Optional.empty();
                }
                all.add(new Entry(
                        manager,
                        names.stored(manager.apiVersion(), FieldSet.of(entry.path("fieldsV1"))),
                        entry.path("time").asText("")));
            }
        } catch (IllegalArgumentException e) {
            // Not reported to clients, as in Kubernetes.
            return Optional.empty();
        }
        return Optional.of(new Managers(all));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<Entry> all() {
        return List.copyOf(all);
    }

    FieldSet of(FieldOwner manager) {
        return find(manager).map(Entry::fields).orElseGet(FieldSet::new);
    }

    /** Finds an owner; duplicate entries are merged into one with the version and time of the first. */
    Optional<Entry> find(FieldOwner manager) {
        Entry entry = null;
        for (Entry owned : all) {
            if (owned.manager().same(manager)) {
                entry = entry == null
                        ? owned
                        : new Entry(entry.manager(), entry.fields().union(owned.fields()), entry.time());
            }
        }
        return Optional.ofNullable(entry);
    }

    private static FieldSet fields(List<Entry> several) {
        return FieldSet.union(several.stream().map(Entry::fields).toList());
    }

    void put(FieldOwner manager, FieldSet fields, String time) {
        all.removeIf(owned -> owned.manager().same(manager));
        if (!fields.isEmpty()) {
            all.add(new Entry(manager, fields, time));
        }
    }

    void changeOthers(FieldOwner than, Function<Entry, FieldSet> change) {
        all.replaceAll(owned ->
                owned.manager().same(than) ? owned : new Entry(owned.manager(), change.apply(owned), owned.time()));
        all.removeIf(owned -> owned.fields().isEmpty());
    }

    private static final Comparator<Entry> ORDER = Comparator.comparing(
                    (Entry owned) -> owned.manager().operation())
            .thenComparing(Entry::time)
            .thenComparing(Entry::manager, FieldOwner.ORDER);

    /** Merges the earliest updaters if there are too many. */
    void bound() {
        if (all.size() <= MAX_UPDATERS) {
            return;
        }
        all.sort(ORDER);
        // Updaters follow appliers.
        int first =
                (int) all.stream().filter(owned -> owned.manager().applies()).count();
        int over = all.size() - first - MAX_UPDATERS;
        if (over <= 0) {
            return;
        }
        List<Entry> earliest = all.subList(first, first + over + 1);
        var versions = new TreeMap<String, List<Entry>>();
        earliest.forEach(owned -> versions.computeIfAbsent(owned.manager().apiVersion(), version -> new ArrayList<>())
                .add(owned));
        earliest.clear();
        for (Entry owned : List.copyOf(all.subList(first, all.size()))) {
            // The merged entry may have been updated since.
            if (owned.manager().name().equals(MERGED_UPDATERS)
                    && versions.containsKey(owned.manager().apiVersion())) {
                versions.get(owned.manager().apiVersion()).addFirst(owned);
                all.remove(owned);
            }
        }
        versions.forEach((version, several) -> all.add(new Entry(
                new FieldOwner(MERGED_UPDATERS, FieldOwner.UPDATE, version, ""),
                fields(several),
                several.getLast().time())));
    }

    /** Returns the list as it is stored and served, with fields under the names of the versions that were written. */
    ArrayNode json(FieldNames names) {
        all.sort(ORDER);
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (Entry owned : all) {
            ObjectNode entry = list.addObject();
            entry.put("manager", owned.manager().name());
            entry.put("operation", owned.manager().operation());
            entry.put("apiVersion", owned.manager().apiVersion());
            if (!owned.time().isEmpty()) {
                entry.put("time", owned.time());
            }
            entry.put("fieldsType", FIELDS);
            entry.set(
                    "fieldsV1",
                    names.served(owned.manager().apiVersion(), owned.fields()).json());
            if (!owned.manager().subresource().isEmpty()) {
                entry.put("subresource", owned.manager().subresource());
            }
        }
        return list;
    }
}
