package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.TypeRules;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Subresources of pods: a binding assigns a node, once; an eviction deletes a pod within the disruption budgets of its namespace.
 * Thread-safe.
 */
public record PodOperations(Updater updater, Eviction evictions, ObjectIdentity identity) {
    public static final ResourceType EVICTION = ResourceType.unstored(
            new ResourceType.Id("policy", "v1", "evictions"), "Eviction", "eviction", List.of("create"), List.of());

    static final String BINDING = "binding";

    /**
     * Assigns a node to a pod.
     *
     * @param pod the pod, whose name may be absent from the path
     * @throws StatusException 404 if it does not exist, 409 if it is assigned already or being deleted, 400 and 422 for an invalid
     *     binding
     */
    public void bind(Target pod, ResourceType binding, ParsedObject body, WriteOptions options) throws StatusException {
        DecodedObject sent = DecodedObject.of(new Target(binding, pod.namespace(), pod.name()), body, options);
        if (!pod.name().isEmpty() && !pod.name().equals(sent.name())) {
            throw ApiErrors.badRequest("name in URL does not match name in Binding object");
        }
        JsonNode target = sent.object().path("target");
        ApiErrors.requireValid(
                binding, sent.name(), causes -> Rules.check("bindings", Field.of(sent.object(), causes)));
        Target named = pod.named(sent.name());
        boolean ofPod = !pod.name().isEmpty();
        admit(
                ofPod ? pod : new Target(binding, pod.namespace(), sent.name()),
                ofPod ? BINDING : "",
                binding,
                sent,
                options);
        var written = new Updater.WriteTarget(named, BINDING, TypeRules.UNVALIDATED);
        updater.replace(written, options, (current, before) -> {
            Updater.checkUid(named, sent, Json.text(before.path("metadata"), "uid"));
            requireFree(named, before);
            ObjectNode bound = before.deepCopy();
            Json.child(bound, "spec").put("nodeName", Json.text(target, "name"));
            bind(bound, sent.object().path("metadata").path("annotations"));
            return new Updater.ProposedState(new DecodedObject(bound, sent.claims(), List.of()), Ownership.of(before));
        });
    }

    private void admit(Target target, String part, ResourceType kind, DecodedObject sent, WriteOptions options)
            throws StatusException {
        Requester requester = options.requester();
        if (requester != null) {
            updater.admit(AdmissionRequest.of(
                    AdmissionRequest.Operation.CREATE,
                    target,
                    part,
                    AdmissionRequest.served(sent.object(), kind),
                    null,
                    options.dryRun(),
                    requester));
        }
    }

    private static void requireFree(Target pod, ObjectNode before) throws StatusException {
        String node = Json.text(before.path("spec"), "nodeName");
        if (before.path("metadata").hasNonNull("deletionTimestamp")) {
            throw unbindable(pod, "pod " + pod.name() + " is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw unbindable(pod, "pod " + pod.name() + " is already assigned to node \"" + node + "\"");
        }
        if (!before.path("spec").path("schedulingGates").isEmpty()) {
            throw unbindable(pod, "pod " + pod.name() + " has non-empty .spec.schedulingGates");
        }
    }

    private static StatusException unbindable(Target pod, String reason) {
        String message = "Operation cannot be fulfilled on pods/binding \"" + pod.name() + "\": " + reason;
        return new StatusException(Status.of(StatusReason.CONFLICT, message)
                .withDetails(Status.Details.about("", "pods/binding", pod.name())));
    }

    private void bind(ObjectNode pod, JsonNode annotations) {
        if (!annotations.isEmpty()) {
            ObjectNode all = Json.child(Json.child(pod, "metadata"), "annotations");
            for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
                all.set(annotation.getKey(), annotation.getValue());
            }
        }
        ArrayNode conditions = Json.child(pod, "status").withArray("conditions");
        conditions.removeIf(condition -> Json.text(condition, "type").equals("PodScheduled"));
        conditions
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "True")
                .put("lastTransitionTime", identity.now());
    }

    /**
     * Evicts a pod.
     *
     * @param body eviction of either version
     * @throws StatusException 404 if it does not exist, 429 while a budget does not permit it, 400 and 422 for an invalid eviction
     */
    public void evict(Target pod, ParsedObject body, WriteOptions options) throws StatusException {
        if (Json.text(body.object(), "apiVersion").equals("policy/v1beta1")) {
            body.object().put("apiVersion", EVICTION.apiVersion());
        }
        DecodedObject sent = DecodedObject.of(new Target(EVICTION, pod.namespace(), pod.name()), body, options);
        if (!pod.name().equals(sent.name())) {
            throw ApiErrors.badRequest("name in URL does not match name in Eviction object");
        }
        admit(pod, "eviction", EVICTION, sent, options);
        DeleteOptions delete = DeleteOptions.of(Json.child(sent.object(), "deleteOptions"));
        evictions.evict(pod, options.dryRun() ? delete.asDryRun() : delete, options.requester());
    }

    /**
     * Evicts pods within disruption budgets. A pod that is not running or already being deleted does not count; an unready one is evicted
     * if its budget permits, conditional on the observed state.
     */
    record Eviction(Reader reader, DeleteOperation deleteOperation, DisruptionBudgets budgets) {
        private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

        void evict(Target pod, DeleteOptions options, @Nullable Requester requester) throws StatusException {
            for (int attempt = 1; ; attempt++) {
                Entry current = reader.entry(pod);
                ObjectNode object = StoredForm.decode(current.value(), 0);
                if (!ended(object) && !Json.text(object.path("status"), "phase").equals("Pending")) {
                    evictRunning(pod, current, object, options, requester);
                    return;
                }
                try {
                    // A pending pod could start meanwhile, and then matter to a budget.
                    deleteOperation.delete(pod, ended(object) ? options : ifUnchanged(current, options), requester);
                    return;
                } catch (StatusException e) {
                    boolean changed = e.status().reason() == StatusReason.CONFLICT && options.resourceVersion() == null;
                    if (!changed || attempt == Contention.MAX_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }

        private void evictRunning(
                Target pod, Entry current, ObjectNode object, DeleteOptions options, @Nullable Requester requester)
                throws StatusException {
            List<Entry> covering = budgets.of(pod.namespace(), object);
            if (covering.size() > 1) {
                throw new StatusException(
                        StatusReason.INTERNAL_ERROR,
                        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
                                + " support.");
            }
            Optional<Entry> budget = covering.stream().findFirst();
            if (budget.isPresent() && !isReady(object) && DisruptionBudgets.allowsUncounted(budget.get())) {
                deleteUnready(pod, current, options, budget.get().key().name(), requester);
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
                Target pod, Entry current, DeleteOptions options, String budget, @Nullable Requester requester)
                throws StatusException {
            try {
                deleteOperation.delete(pod, ifUnchanged(current, options), requester);
            } catch (StatusException e) {
                if (e.status().reason() == StatusReason.CONFLICT && options.resourceVersion() == null) {
                    throw DisruptionBudgets.beingProcessed(budget);
                }
                throw e;
            }
        }

        /** Returns the deletion with the observed state as its precondition, unless it has another. */
        private static DeleteOptions ifUnchanged(Entry current, DeleteOptions options) {
            return options.resourceVersion() == null
                    ? options.withResourceVersion(Long.toString(current.revision()))
                    : options;
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
}
