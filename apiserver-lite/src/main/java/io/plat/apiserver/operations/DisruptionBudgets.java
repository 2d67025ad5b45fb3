package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metadata.ServerManagedFields;
import io.plat.apiserver.objects.TypeRules;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Disruption budgets: the number of pods that may be evicted, by the budgets' status. The status is written by a controller; nothing is
 * evicted before it has observed the current generation of a budget.
 */
record DisruptionBudgets(ObjectStore store, Updater updater, ObjectIdentity identity, ResourceType type) {
    private static final String VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";

    /** Maximum number of evictions that the controller has not observed yet. */
    private static final int MAX_DISRUPTED = 2000;

    private static final int RETRY_SECONDS = 10;

    List<Entry> of(String namespace, JsonNode pod) throws StatusException {
        Map<String, String> labels = Json.textsByName(pod.path("metadata").path("labels"));
        var covering = new ArrayList<Entry>();
        List<Entry> all = RequestStore.run(store::latest)
                .page(KeyRange.of("poddisruptionbudgets.policy", namespace), "", 0)
                .entries();
        // Each is parsed even for a small request.
        RequestMemory.current()
                .compute(all.stream().mapToLong(entry -> entry.value().length).sum());
        for (Entry entry : all) {
            JsonNode selector = StoredForm.decode(entry.value(), 0).path("spec").path("selector");
            if (selector.isObject() && selects(selector, labels)) {
                covering.add(entry);
            }
        }
        return covering;
    }

    private static boolean selects(JsonNode selector, Map<String, String> labels) {
        try {
            return LabelSelector.of(selector).matches(labels);
        } catch (StatusException invalid) {
            // Selects nothing, as in Kubernetes.
            return false;
        }
    }

    /** Returns whether an unready pod may be evicted without counting. */
    static boolean allowsUncounted(Entry budget) {
        ObjectNode object = StoredForm.decode(budget.value(), 0);
        JsonNode status = object.path("status");
        long desired = status.path("desiredHealthy").asLong();
        return Json.text(object.path("spec"), "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (desired > 0 && status.path("currentHealthy").asLong() >= desired);
    }

    /**
     * Takes one eviction from a budget.
     *
     * @throws StatusException 429 if none is left, or the status is not up to date
     */
    void take(Key budget, String pod, boolean dryRun) throws StatusException {
        Target target = new Target(type, budget.namespace(), budget.name());
        var options = new WriteOptions(dryRun, WriteOptions.FieldValidation.IGNORE);
        updater.replace(
                new Updater.WriteTarget(target, "status", TypeRules.UNVALIDATED), options, (current, before) -> {
                    requireOneLeft(target, before);
                    ObjectNode after = before.deepCopy();
                    take(Json.child(after, "status"), pod);
                    return new Updater.ProposedState(
                            new DecodedObject(after, ServerManagedFields.ofState(current.revision()), List.of()),
                            Ownership.of(before));
                });
    }

    private void take(ObjectNode status, String pod) {
        int remaining = status.path("disruptionsAllowed").asInt() - 1;
        status.put("disruptionsAllowed", remaining);
        Json.child(status, "disruptedPods").put(pod, identity.now());
        if (remaining == 0) {
            reportInsufficient(status);
        }
    }

    private void reportInsufficient(ObjectNode status) {
        ArrayNode conditions = status.withArray("conditions");
        ObjectNode condition = Json.find(conditions, "type", "DisruptionAllowed") instanceof ObjectNode known
                ? known
                : conditions.addObject();
        if (!Json.text(condition, "status").equals("False")) {
            condition.put("lastTransitionTime", identity.now());
        }
        condition
                .put("type", "DisruptionAllowed")
                .put("status", "False")
                .put("reason", "InsufficientPods")
                .put("message", "");
        if (status.has("observedGeneration")) {
            condition.set("observedGeneration", status.path("observedGeneration"));
        }
    }

    private static void requireOneLeft(Target budget, ObjectNode object) throws StatusException {
        JsonNode status = object.path("status");
        if (status.path("observedGeneration").asLong()
                < object.path("metadata").path("generation").asLong()) {
            throw beingProcessed(budget.name());
        }
        int allowed = status.path("disruptionsAllowed").asInt();
        if (allowed < 0) {
            throw ApiErrors.forbidden(budget, "pdb disruptions allowed is negative");
        }
        if (status.path("disruptedPods").size() > MAX_DISRUPTED) {
            throw ApiErrors.forbidden(
                    budget, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
        }
        if (allowed == 0) {
            throw refused(
                    "The disruption budget " + budget.name() + " needs "
                            + status.path("desiredHealthy").asInt() + " healthy pods and has "
                            + status.path("currentHealthy").asInt() + " currently",
                    0);
        }
    }

    static StatusException beingProcessed(String budget) {
        return refused("The disruption budget " + budget + " is still being processed by the server.", RETRY_SECONDS);
    }

    private static StatusException refused(String reason, int retryAfterSeconds) {
        var cause = new Status.Cause("DisruptionBudget", reason, "");
        return new StatusException(Status.of(StatusReason.TOO_MANY_REQUESTS, VIOLATED)
                .withDetails(new Status.Details("", "", "", "", List.of(cause), retryAfterSeconds)));
    }
}
