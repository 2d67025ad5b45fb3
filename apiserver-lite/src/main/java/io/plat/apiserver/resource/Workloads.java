package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
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
}
