package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Priority of new pods, resolved from priority classes. Nothing is scheduled here; clients and schedulers read it. */
public final class PriorityClasses {
    static final String CLASSES = "priorityclasses.scheduling.k8s.io";

    private PriorityClasses() {}

    /**
     * Resolves the priority of a new pod: that of the named class, or of the global default.
     *
     * @throws StatusException 403 if there is no such class, or if the pod states a different priority
     */
    static void resolve(Target target, ObjectNode spec, Snapshot snapshot) throws StatusException {
        String named = Json.text(spec, "priorityClassName");
        Optional<ObjectNode> resolved = named.isEmpty()
                ? globalDefault(snapshot)
                : Optional.of(snapshot.find(CLASSES, "", named)
                        .map(PriorityClasses::read)
                        .orElseThrow(() ->
                                ApiErrors.forbidden(target, "no PriorityClass with name " + named + " was found")));
        int value = resolved.map(found -> found.path("value").asInt()).orElse(0);
        String policy = resolved.map(found -> Json.text(found, "preemptionPolicy"))
                .filter(text -> !text.isEmpty())
                .orElse("PreemptLowerPriority");
        if (spec.has("priority") && spec.path("priority").asInt() != value) {
            throw ApiErrors.forbidden(
                    target,
                    "the integer value of priority (" + spec.path("priority").asText() + ") must not be provided in pod"
                            + " spec; priority admission controller computed " + value
                            + " from the given PriorityClass name");
        }
        if (spec.has("preemptionPolicy") && !Json.text(spec, "preemptionPolicy").equals(policy)) {
            throw ApiErrors.forbidden(
                    target,
                    "the string value of PreemptionPolicy (" + Json.text(spec, "preemptionPolicy") + ") must not be"
                            + " provided in pod spec; priority admission controller computed " + policy
                            + " from the given PriorityClass name");
        }
        resolved.ifPresent(found -> spec.put("priorityClassName", Json.text(found.path("metadata"), "name")));
        spec.put("priority", value).put("preemptionPolicy", policy);
    }

    private static ObjectNode read(Entry entry) {
        return StoredForm.decode(entry.value(), 0);
    }

    /** Returns the global default class; the one with the lowest priority if there are several. */
    private static Optional<ObjectNode> globalDefault(Snapshot snapshot) {
        ObjectNode min = null;
        for (Entry entry : snapshot.page(KeyRange.of(CLASSES), "", 0).entries()) {
            // Few classes set the field: usually the name is absent, and nothing needs parsing.
            if (!new String(entry.value(), StandardCharsets.ISO_8859_1).contains("globalDefault")) {
                continue;
            }
            ObjectNode one = read(entry);
            if (one.path("globalDefault").asBoolean()
                    && (min == null
                            || one.path("value").asInt() < min.path("value").asInt())) {
                min = one;
            }
        }
        return Optional.ofNullable(min);
    }

    static void requireSingleDefault(Target target, ObjectNode created, Snapshot snapshot) throws StatusException {
        Optional<ObjectNode> other =
                created.path("globalDefault").asBoolean() ? globalDefault(snapshot) : Optional.empty();
        if (other.isPresent()) {
            throw ApiErrors.forbidden(
                    target,
                    "PriorityClass " + Json.text(other.get().path("metadata"), "name")
                            + " is already marked as globalDefault");
        }
    }
}
