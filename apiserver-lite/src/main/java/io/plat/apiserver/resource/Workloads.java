package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is particular about types that make pods from a template: standards that depend on each other, and selectors that select. */
final class Workloads {
    private static final JsonPointer TEMPLATE = JsonPointer.compile("/spec/template");

    /** Where the template of pods stands, by the resource that stores the type. */
    private static final Map<String, JsonPointer> TEMPLATES = Map.of(
            "deployments.apps", TEMPLATE,
            "replicasets.apps", TEMPLATE,
            "statefulsets.apps", TEMPLATE,
            "daemonsets.apps", TEMPLATE,
            "replicationcontrollers", TEMPLATE,
            "jobs.batch", TEMPLATE,
            "cronjobs.batch", JsonPointer.compile("/spec/jobTemplate/spec/template"),
            "podtemplates", JsonPointer.compile("/template"));

    /** Those that keep pods running for good. */
    private static final Set<String> LASTING = Set.of(
            "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "replicationcontrollers");

    /** What makes the pods of those that keep as many running. */
    private static final Map<String, String> MAKERS = Map.of(
            "deployments.apps", "ReplicaSet",
            "replicasets.apps", "ReplicaSet",
            "replicationcontrollers", "ReplicationController",
            "statefulsets.apps", "StatefulSet");

    /** Those whose pods end. */
    private static final Set<String> ENDING = Set.of("jobs.batch", "cronjobs.batch");

    /** What is not said of a job; in a template of jobs it stays unsaid. */
    private static final ObjectNode JOB = Json.object()
            .put("backoffLimit", 6)
            .put("completionMode", "NonIndexed")
            .put("manualSelector", false)
            .put("parallelism", 1)
            .put("podReplacementPolicy", "TerminatingOrFailed")
            .put("suspend", false);

    private static final String ROLLING = "RollingUpdate";

    private Workloads() {}

    static void prepare(String storage, ObjectNode object) {
        JsonPointer at = TEMPLATES.get(storage);
        if (at == null) {
            return;
        }
        if (object.at(at).path("spec") instanceof ObjectNode spec) {
            PodRules.prepareContainers(spec);
        }
        if (!(object.path("spec") instanceof ObjectNode spec)) {
            return;
        }
        switch (storage) {
            case "deployments.apps" -> rolling(spec, "strategy", Map.of("maxSurge", "25%", "maxUnavailable", "25%"));
            case "daemonsets.apps" -> rolling(spec, "updateStrategy", Map.of("maxSurge", 0, "maxUnavailable", 1));
            case "statefulsets.apps" -> {
                rolling(spec, "updateStrategy", Map.of("partition", 0));
                ObjectNode retention = Json.child(spec, "persistentVolumeClaimRetentionPolicy");
                ServiceRules.putAbsent(retention, "whenDeleted", "Retain");
                ServiceRules.putAbsent(retention, "whenScaled", "Retain");
                for (JsonNode claim : spec.path("volumeClaimTemplates")) {
                    ServiceRules.putAbsent((ObjectNode) claim, "apiVersion", "v1");
                    ServiceRules.putAbsent((ObjectNode) claim, "kind", "PersistentVolumeClaim");
                    ServiceRules.putAbsent(Json.child((ObjectNode) claim, "status"), "phase", "Pending");
                }
            }
            case "jobs.batch" -> prepareJob(spec);
            case "replicationcontrollers" -> prepareController(object, spec);
            default -> {}
        }
    }

    private static void rolling(ObjectNode spec, String field, Map<String, Object> standards) {
        ObjectNode strategy = Json.child(spec, field);
        ServiceRules.putAbsent(strategy, "type", ROLLING);
        if (Json.text(strategy, "type").equals(ROLLING)) {
            ObjectNode rolling = Json.child(strategy, "rollingUpdate");
            standards.forEach((name, value) -> {
                if (!rolling.has(name)) {
                    rolling.set(name, Json.MAPPER.valueToTree(value));
                }
            });
        }
    }

    /** A job that does not say how much of it there is, is done once. */
    private static void prepareJob(ObjectNode spec) {
        JOB.properties().forEach(standard -> {
            if (!spec.has(standard.getKey())) {
                spec.set(standard.getKey(), standard.getValue());
            }
        });
        if (!spec.has("completions") && spec.path("parallelism").asInt(1) == 1) {
            spec.put("completions", 1);
        }
    }

    /** What nobody but the server says of a new object. */
    static void generate(String storage, ObjectNode object) {
        if (storage.equals("jobs.batch")
                && object.path("spec") instanceof ObjectNode spec
                && !spec.path("manualSelector").asBoolean()) {
            JobSelector.generate(object, spec);
        }
    }

    /** The earliest form selects what its template makes, unless it says otherwise. */
    private static void prepareController(ObjectNode object, ObjectNode spec) {
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (labels.isObject() && !labels.isEmpty()) {
            if (spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            ObjectNode metadata = Json.child(object, "metadata");
            if (metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }
    }

    static void check(String storage, ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        JsonPointer at = TEMPLATES.get(storage);
        if (at == null) {
            return;
        }
        Field template = Field.of(at.toString().substring(1).replace('/', '.'), object.at(at), causes);
        Field spec = template.at("spec");
        PodRules.checkContainers(spec);
        if (before == null || !template.value().equals(before.at(at))) {
            // What is there already was checked by the rules of its time.
            PodSpecCheck.check(spec, object.path("spec").path("volumeClaimTemplates"));
            SelectorCheck.labels(
                    template.as("labels", template.value().path("metadata").path("labels")));
            checkLasting(storage, spec);
        }
        Field restart = spec.at("restartPolicy");
        if (LASTING.contains(storage)) {
            restart.oneOf(List.of("Always"));
            checkSelector(
                    storage,
                    Field.of(object, causes).at("spec").at("selector"),
                    template.at("metadata").at("labels"));
        }
        if (ENDING.contains(storage) && restart.is("Always")) {
            restart.required("valid values: \"OnFailure\", \"Never\"");
        }
        JobCheck.checkUpdate(storage, object, before, causes);
    }

    /** What comes and goes with one pod is nothing for a template. */
    private static void checkLasting(String storage, Field spec) {
        if (!spec.at(EphemeralContainers.FIELD).isEmpty()) {
            spec.at(EphemeralContainers.FIELD).forbidden("ephemeral containers not allowed in pod template");
        }
        String maker = MAKERS.get(storage);
        if (maker != null && spec.has("activeDeadlineSeconds")) {
            spec.at("activeDeadlineSeconds").forbidden("activeDeadlineSeconds in " + maker + " is not Supported");
        }
    }

    private static void checkSelector(String storage, Field selector, Field labels) {
        boolean plain = storage.equals("replicationcontrollers");
        JsonNode wanted = plain ? selector.value() : selector.value().path("matchLabels");
        if (selector.isMissing()) {
            selector.required("");
            if (!plain) {
                // Nothing is selected by what is not there.
                doesNotMatch(labels);
            }
            return;
        }
        if (!plain && wanted.isEmpty() && selector.at("matchExpressions").isEmpty()) {
            selector.invalidValue("empty selector is invalid for " + storage.substring(0, storage.lastIndexOf("s.")));
        }
        if (wanted.properties().stream()
                .anyMatch(label -> !labels.value().path(label.getKey()).equals(label.getValue()))) {
            doesNotMatch(labels);
        }
    }

    private static void doesNotMatch(Field labels) {
        labels.invalidValue("`selector` does not match template `labels`");
    }
}
