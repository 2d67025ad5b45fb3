package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Identities;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How much a new pod matters, as the classes say that there are. Nothing here is scheduled by it; clients and schedulers read it. */
public final class Priorities {
    /** The resource that stores classes. */
    static final String CLASSES = "priorityclasses.scheduling.k8s.io";

    private static final String PREEMPTS = "PreemptLowerPriority";
    private static final int MOST = 1_000_000_000;

    /** Those that are always there. */
    private static final Map<String, Integer> OF_SYSTEM =
            Map.of("system-cluster-critical", 2 * MOST, "system-node-critical", 2 * MOST + 1000);

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "system-cluster-critical",
            "Used for system critical pods that must run in the cluster, but can be moved to another node if"
                    + " necessary.",
            "system-node-critical",
            "Used for system critical pods that must not be moved from their current node.");

    private Priorities() {}

    /** Makes the classes that are always there, where they are not. */
    public static void makeFirst(ObjectStore store, Identities identities) throws StorageException {
        for (Map.Entry<String, Integer> first : OF_SYSTEM.entrySet()) {
            Key key = new Key(CLASSES, "", first.getKey());
            if (store.latest().get(key).isPresent()) {
                continue;
            }
            ObjectNode made = Json.object();
            Json.child(made, "metadata")
                    .put("name", first.getKey())
                    .put("uid", identities.uid())
                    .put("creationTimestamp", identities.now())
                    .put("generation", 1);
            made.put("value", first.getValue())
                    .put("description", DESCRIPTIONS.get(first.getKey()))
                    .put("preemptionPolicy", PREEMPTS);
            // Refused where another server of the store came first.
            store.commit(Transaction.create(key, StoredForm.encode(made)));
        }
    }

    /**
     * Says the priority of a new pod: that of the class it names, or of the one that holds where none is named.
     *
     * @throws StatusException 403 where there is no such class, or where the pod says another priority by itself
     */
    static void resolve(Target target, ObjectNode spec, Snapshot snapshot) throws StatusException, StorageException {
        String named = Json.text(spec, "priorityClassName");
        Optional<ObjectNode> resolved = named.isEmpty()
                ? standard(snapshot)
                : Optional.of(snapshot.get(new Key(CLASSES, "", named))
                        .map(Priorities::read)
                        .orElseThrow(() -> forbidden(target, "no PriorityClass with name " + named + " was found")));
        int value = resolved.map(found -> found.path("value").asInt()).orElse(0);
        String policy = resolved.map(found -> Json.text(found, "preemptionPolicy"))
                .filter(text -> !text.isEmpty())
                .orElse(PREEMPTS);
        if (spec.has("priority") && spec.path("priority").asInt() != value) {
            throw forbidden(
                    target,
                    "the integer value of priority (" + spec.path("priority").asText() + ") must not be provided in pod"
                            + " spec; priority admission controller computed " + value
                            + " from the given PriorityClass name");
        }
        if (spec.has("preemptionPolicy") && !Json.text(spec, "preemptionPolicy").equals(policy)) {
            throw forbidden(
                    target,
                    "the string value of PreemptionPolicy (" + Json.text(spec, "preemptionPolicy") + ") must not be"
                            + " provided in pod spec; priority admission controller computed " + policy
                            + " from the given PriorityClass name");
        }
        resolved.ifPresent(found -> spec.put("priorityClassName", Json.text(found.path("metadata"), "name")));
        spec.put("priority", value).put("preemptionPolicy", policy);
    }

    private static StatusException forbidden(Target target, String why) {
        return Refusals.forbidden(target.type(), target.name(), why, List.of());
    }

    private static ObjectNode read(Entry entry) {
        return StoredForm.decode(entry.value(), 0);
    }

    /** The class of pods that name none; of several the least. */
    private static Optional<ObjectNode> standard(Snapshot snapshot) throws StorageException {
        ObjectNode least = null;
        for (Entry entry : snapshot.page(KeyRange.of(CLASSES), "", 0).entries()) {
            // Hardly any says so: nearly always the word is not there, and nothing has to be parsed.
            if (!new String(entry.value(), StandardCharsets.ISO_8859_1).contains("globalDefault")) {
                continue;
            }
            ObjectNode one = read(entry);
            if (one.path("globalDefault").asBoolean()
                    && (least == null
                            || one.path("value").asInt() < least.path("value").asInt())) {
                least = one;
            }
        }
        return Optional.ofNullable(least);
    }

    /** Refuses a second class for pods that name none. */
    static void checkOnlyStandard(Target target, ObjectNode made, Snapshot snapshot)
            throws StatusException, StorageException {
        Optional<ObjectNode> other = made.path("globalDefault").asBoolean() ? standard(snapshot) : Optional.empty();
        if (other.isPresent()) {
            throw forbidden(
                    target,
                    "PriorityClass " + Json.text(other.get().path("metadata"), "name")
                            + " is already marked as globalDefault");
        }
    }
}
