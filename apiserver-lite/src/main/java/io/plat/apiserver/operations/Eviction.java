package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods within disruption budgets. A pod that is not running or already being deleted does not count; an unready one is evicted if
 * its budget permits, conditional on the observed state.
 */
record Eviction(Reader reader, DeleteOperation deleteOperation, DisruptionBudgets budgets) {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    void evict(Target pod, DeleteOptions options, @Nullable Requester requester) throws StatusException {
        for (int tries = 1; ; tries++) {
            Entry seen = reader.entry(pod);
            ObjectNode object = StoredForm.decode(seen.value(), 0);
            if (!isUncounted(object)) {
                evictRunning(pod, seen, object, options, requester);
                return;
            }
            try {
                // A pending pod could start meanwhile, and then matter to a budget.
                deleteOperation.delete(pod, ended(object) ? options : in(seen, options), requester);
                return;
            } catch (StatusException e) {
                boolean changed = e.status().reason() == StatusReason.CONFLICT && options.resourceVersion() == null;
                if (!changed || tries == Contention.MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void evictRunning(
            Target pod, Entry seen, ObjectNode object, DeleteOptions options, @Nullable Requester requester)
            throws StatusException {
        List<Entry> covering = budgets.of(pod.namespace(), object);
        if (covering.size() > 1) {
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR,
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        Optional<Entry> budget = covering.stream().findFirst();
        if (budget.isPresent() && !isReady(object) && DisruptionBudgets.allowsUncounted(budget.get())) {
            deleteUnready(pod, seen, options, budget.get().key().name(), requester);
            return;
        }
        if (budget.isPresent()) {
            // A deletion that a policy denies must take nothing from the budget.
            deleteOperation.admit(pod, options, requester);
            budgets.take(budget.get().key(), pod.name(), options.dryRun());
        }
        deleteOperation.delete(pod, options, requester);
    }

    private void deleteUnready(
            Target pod, Entry seen, DeleteOptions options, String budget, @Nullable Requester requester)
            throws StatusException {
        try {
            deleteOperation.delete(pod, in(seen, options), requester);
        } catch (StatusException e) {
            if (e.status().reason() == StatusReason.CONFLICT && options.resourceVersion() == null) {
                throw DisruptionBudgets.beingProcessed(budget);
            }
            throw e;
        }
    }

    /** Returns the deletion with the observed state as its precondition, unless it has another. */
    private static DeleteOptions in(Entry seen, DeleteOptions options) {
        return options.resourceVersion() == null ? options.inState(Long.toString(seen.revision())) : options;
    }

    private static boolean isUncounted(JsonNode pod) {
        return ended(pod) || Json.text(pod.path("status"), "phase").equals("Pending");
    }

    private static boolean ended(JsonNode pod) {
        return ENDED.contains(Json.text(pod.path("status"), "phase"))
                || pod.path("metadata").hasNonNull("deletionTimestamp");
    }

    private static boolean isReady(JsonNode pod) {
        return Json.text(Json.find(pod.path("status").path("conditions"), "type", "Ready"), "status")
                .equals("True");
    }
}
