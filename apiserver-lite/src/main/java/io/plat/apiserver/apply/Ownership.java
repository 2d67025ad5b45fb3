package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maintains {@code metadata.managedFields}: a written field belongs to its writer and no longer to others. An applier owns the fields of
 * the applied configuration, gives up those it no longer contains, and takes fields of others only with {@code force}.
 */
public record Ownership(TypeSchema schema, FieldNames names, Function<String, View> views, Writer writer) {
    public static final String FIELD = "managedFields";

    /** Maximum number of conflicts that are reported. */
    public static final int MAX_REPORTED = 200;

    /** Creates the ownership for a type whose versions all have the stored fields and names. */
    public Ownership(TypeSchema schema, Writer writer) {
        this(schema, FieldNames.IDENTITY, of(View.whole(schema)), writer);
    }

    private static Function<String, View> of(View only) {
        return version -> only;
    }

    /**
     * Writer of an object.
     *
     * @param subresource subresource that it writes; {@code ""} for the object
     * @param empty a new object without written fields
     */
    public record Writer(
            String name, String apiVersion, String subresource, Set<String> reset, ObjectNode empty, String time) {}

    /** Fields of metadata that the server or the object's name determines. */
    private static final Set<String> UNOWNED = Stream.of(
                    "name",
                    "namespace",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink",
                    "uid",
                    "generation",
                    FIELD,
                    "resourceVersion")
            .map(FieldSet::field)
            .collect(Collectors.toSet());

    /** Owner of the fields of an object that had no owners when it was first applied. */
    private static final String UNTRACKED = "before-first-apply";

    private static final String METADATA = FieldSet.field("metadata");
    private static final String STATUS = FieldSet.field("status");
    private static final List<String> TYPE_FIELDS = List.of(FieldSet.field("kind"), FieldSet.field("apiVersion"));

    /**
     * Returns the owners after an update.
     *
     * @param state state before; a missing node for a new object
     * @param owners owners before: those that the writer sent, or the stored ones
     */
    public ArrayNode updated(JsonNode state, ObjectNode after, ArrayNode owners) {
        Managers managers = Managers.read(owners, names).orElseGet(Managers::none);
        if (managers.isEmpty() && !state.isMissingNode()) {
            // Owners are recorded from the creation or the first apply on.
            return managers.json(names);
        }
        JsonNode old = state.isMissingNode() ? writer.empty() : state;
        Function<String, Comparison> differences = differences(old, after);
        Comparison own = differences.apply(writer.apiVersion());
        var self = new FieldOwner(writer.name(), FieldOwner.UPDATE, writer.apiVersion(), writer.subresource());
        Optional<Managers.Entry> last = managers.find(self);
        managers.changeOthers(
                self, owned -> differences.apply(owned.manager().apiVersion()).unchanged(owned.fields()));
        if (!own.isEmpty()) {
            FieldSet before = last.map(Managers.Entry::fields).orElseGet(FieldSet::new);
            String time =
                    own.changed().isEmpty() ? last.map(Managers.Entry::time).orElse("") : writer.time();
            managers.put(self, before.difference(own.removed()).union(own.changed()), time);
        }
        managers.bound();
        return managers.json(names);
    }

    /**
     * Returns whether a state has the types of its writer's and its owners' versions. Like kube-apiserver, callers record no owners
     * otherwise: what was sent for a subresource, or in another version, need not be valid.
     */
    public boolean isTyped(JsonNode state, ArrayNode owners) {
        Stream<String> versions =
                owners.valueStream().map(owner -> owner.path("apiVersion").asText(""));
        return Stream.concat(Stream.of(writer.apiVersion()), versions)
                .map(views)
                .distinct()
                .allMatch(view -> Elements.isTyped(view.schema(), view.seen().apply(state)));
    }

    /**
     * Returns the changes of a write by apiVersion of an owner. They are computed once for each of the few views, not for each version that
     * an owner names.
     */
    private Function<String, Comparison> differences(JsonNode before, JsonNode after) {
        Map<String, Comparison> byVersion = new HashMap<>();
        var byView = new IdentityHashMap<View, Comparison>(2);
        return version -> {
            Comparison cached = byVersion.get(version);
            if (cached == null) {
                View view = views.apply(version);
                cached = byView.get(view);
                if (cached == null) {
                    cached = difference(view.compare(before, after));
                    byView.put(view, cached);
                }
                byVersion.put(version, cached);
            }
            return cached;
        };
    }

    private Comparison difference(Comparison comparison) {
        return new Comparison(owned(comparison.changed()), owned(comparison.removed()));
    }

    private FieldSet owned(FieldSet set) {
        if (set.isEmpty()) {
            return set;
        }
        var owned = new FieldSet();
        boolean ofStatus = writer.subresource().equals("status");
        if (set.self() && !ofStatus) {
            owned.addSelf();
        }
        Set<String> reset = writer.reset();
        set.below().forEach((step, node) -> {
            if (step.equals(METADATA)) {
                // Metadata itself has no owner.
                FieldSet named = node.withoutSelf().without(UNOWNED).without(reset);
                if (!named.isEmpty()) {
                    owned.put(step, named);
                }
            } else if (!reset.contains(step) && (step.equals(STATUS) || (!ofStatus && !TYPE_FIELDS.contains(step)))) {
                owned.put(step, node);
            }
        });
        return owned;
    }

    /**
     * Applied field that another owner has with a different value.
     *
     * @param path path of the field; {@code ""} beyond the reported conflicts
     */
    public record Conflict(String owner, String path) {}

    /** Result of an apply. */
    public sealed interface Outcome {
        /**
         * Success.
         *
         * @param object object with the applied fields, without those that its owner no longer applies
         */
        record Applied(JsonNode object, ArrayNode owners) implements Outcome {}

        /** Failure: other owners have fields that it would change. */
        record Refused(List<Conflict> conflicts) implements Outcome {}
    }

    /**
     * Applies a configuration to an object.
     *
     * @param live live object; an empty object if there is none
     * @param config applied configuration, in stored form
     * @param force whether to take over fields of other owners
     */
    public Outcome apply(JsonNode live, JsonNode config, ArrayNode known, boolean force) {
        Managers managers = Managers.read(known, names).orElseGet(Managers::none);
        if (managers.isEmpty() && !live.isEmpty()) {
            var unknown = new FieldOwner(UNTRACKED, FieldOwner.UPDATE, writer.apiVersion(), writer.subresource());
            FieldSet existing =
                    differences(writer.empty(), live).apply(writer.apiVersion()).changed();
            managers.put(unknown, existing, writer.time());
        }
        var self = new FieldOwner(writer.name(), FieldOwner.APPLY, writer.apiVersion(), writer.subresource());
        Optional<Managers.Entry> last = managers.find(self);
        TypeSchema written = view(self).schema();
        FieldSet set = owned(Elements.fields(written, config, false));
        JsonNode merged = Merge.of(written, live, config);
        Optional<Managers.Entry> same = last.filter(owned -> owned.fields().equals(set));
        // An apply that changes nothing has no time, as in kube-apiserver.
        managers.put(self, set, last.map(Managers.Entry::time).orElse(""));
        // The same fields of the same version leave nothing to remove.
        last.filter(owned -> same.isEmpty() || !owned.manager().apiVersion().equals(writer.apiVersion()))
                .ifPresent(owned -> prune(merged, owned, managers));
        Function<String, Comparison> differences = differences(live, merged);
        Function<FieldOwner, Comparison> comparisons = owner -> differences.apply(owner.apiVersion());
        if (!force) {
            List<Conflict> conflicts = conflicts(managers, self, comparisons, live);
            if (!conflicts.isEmpty()) {
                return new Outcome.Refused(conflicts);
            }
        }
        managers.changeOthers(self, owned -> comparisons.apply(owned.manager()).unchanged(owned.fields()));
        if (live.isEmpty() || !comparisons.apply(self).isEmpty()) {
            managers.put(self, set, writer.time());
        }
        return new Outcome.Applied(merged, managers.json(names));
    }

    /** Returns the first elements of lists in an applied configuration that cannot be owned, with Kubernetes' messages. */
    public static List<String> problems(TypeSchema schema, JsonNode config) {
        List<String> problems = new ArrayList<>();
        Elements.check(schema, config, new ArrayList<>(), problems);
        return problems;
    }

    private View view(FieldOwner owner) {
        return views.apply(owner.apiVersion());
    }

    /** Removes fields that the owner applied before, no longer applies, and shares with no other owner. */
    private void prune(JsonNode merged, Managers.Entry last, Managers managers) {
        TypeSchema schema = view(last.manager()).schema();
        var name = new FieldSet();
        name.add(List.of(METADATA, FieldSet.field("name")));
        List<FieldSet> kept = new ArrayList<>(List.of(name));
        managers.all().forEach(owned -> kept.add(in(schema, owned, merged)));
        Merge.remove(
                schema, merged, withFixed(schema, last.fields()).difference(withFixed(schema, FieldSet.union(kept))));
    }

    private FieldSet in(TypeSchema schema, Managers.Entry owned, JsonNode object) {
        TypeSchema own = view(owned.manager()).schema();
        return own.equals(schema)
                ? owned.fields()
                : Elements.fields(schema, Merge.only(own, object, withFixed(own, owned.fields())), false);
    }

    /** Adds declared fields that contain members. */
    private static FieldSet withFixed(TypeSchema schema, FieldSet set) {
        var below = new TreeMap<String, FieldSet>();
        set.below().forEach((step, node) -> {
            boolean field = step.startsWith("f:");
            String name = step.substring(2);
            FieldSet inner = withFixed(field ? Elements.field(schema, name) : schema.element(), node);
            below.put(
                    step,
                    field && Elements.fixed(schema, name) && !node.below().isEmpty()
                            ? FieldSet.of(true, inner.below())
                            : inner);
        });
        return FieldSet.of(set.self(), below);
    }

    private List<Conflict> conflicts(
            Managers managers, FieldOwner self, Function<FieldOwner, Comparison> comparisons, JsonNode live) {
        boolean byKubectl = self.name().equals(LastApplied.KUBECTL);
        var conflicts = new ArrayList<Conflict>();
        for (Managers.Entry owned : managers.all()) {
            if (!owned.manager().same(self)) {
                FieldSet both = owned.fields()
                        .intersection(comparisons.apply(owned.manager()).changed());
                FieldSet conflicting =
                        byKubectl && !both.isEmpty() ? both.difference(lastWritten(owned.manager(), live)) : both;
                String owner = owned.manager().shown();
                conflicting.forEachPath(path -> conflicts.add(
                        new Conflict(owner, conflicts.size() < MAX_REPORTED ? FieldSet.shown(path) : "")));
            }
        }
        return List.copyOf(conflicts);
    }

    /** Returns the unchanged fields of kubectl's annotation, translated to an owner's version. */
    private FieldSet lastWritten(FieldOwner owner, JsonNode live) {
        return LastApplied.unchanged(view(owner).schema(), live)
                .map(this::owned)
                .orElseGet(FieldSet::new);
    }

    /** Returns the owners in an object; empty if it has none. */
    public static ArrayNode of(JsonNode object) {
        return object.path("metadata").path(FIELD) instanceof ArrayNode list
                ? list
                : JsonNodeFactory.instance.arrayNode();
    }

    /**
     * Returns the owners on which a write is based: those that it sends, if well-formed, otherwise the stored ones.
     *
     * @param sent {@code managedFields} that were sent; a missing node for none
     */
    public static ArrayNode known(JsonNode sent, JsonNode before) {
        if (sent instanceof ArrayNode list) {
            boolean reset = list.isEmpty() || (list.size() == 1 && list.get(0).isEmpty());
            if (reset) {
                return JsonNodeFactory.instance.arrayNode();
            }
            ArrayNode stored = of(before);
            // Most clients send what they read, and that is well-formed.
            if (list.equals(stored)) {
                return stored;
            }
            Optional<Managers> read = Managers.read(list, FieldNames.IDENTITY);
            if (read.isPresent() && !read.get().isEmpty()) {
                return list;
            }
        }
        return of(before);
    }

    /** Returns whether two lists of owners differ only in their times. */
    public static boolean equalExceptTimes(ArrayNode one, ArrayNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!Json.equalExcept(Set.of("time"), one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }
}
