package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.rules.NameRule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pods: the defaults that clients show, and what may still change once one is made. Nothing runs them: they stay Pending. */
final class PodRules implements TypeRules {
    /** What is said of a pod when it is made. */
    private static final List<String> KEPT = List.of("priority", "preemptionPolicy");


    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    @Override
    public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
        ObjectNode spec = Json.child(pod, "spec");
        ServiceRules.putAbsent(spec, "restartPolicy", "Always");
        ServiceRules.putAbsent(spec, "dnsPolicy", "ClusterFirst");
        ServiceRules.putAbsent(spec, "schedulerName", "default-scheduler");
        if (!spec.has("terminationGracePeriodSeconds")) {
            spec.put("terminationGracePeriodSeconds", 30);
        }
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        Json.child(spec, "securityContext");
        String account = Json.text(
                spec, Json.text(spec, "serviceAccountName").isEmpty() ? "serviceAccount" : "serviceAccountName");
        spec.put("serviceAccountName", account.isEmpty() ? ServiceAccountRules.DEFAULT : account);
        spec.put("serviceAccount", Json.text(spec, "serviceAccountName"));
        prepareContainers(spec);
        forEachContainer(spec, PodRules::asksForItsLimits);
        if (spec.path("hostNetwork").asBoolean()) {
            forEachContainer(spec, PodRules::hasPortsOfItsHost);
        }
        if (before == null) {
            pod.putObject("status").put("phase", "Pending").put("qosClass", QualityOfService.of(spec));
        } else {
            pod.set("status", before.path("status").deepCopy());
            ServiceAddresses.keep(KEPT, spec, before.path("spec"));
            Tolerations.complete(spec);
        }
    }

    /** Fills in what depends on what the containers of a pod, or of a template of pods, are. */
    static void prepareContainers(ObjectNode spec) {
        forEachContainer(spec, PodRules::prepareContainer);
        for (JsonNode item : spec.path("volumes")) {
            // A volume that is from nowhere is an empty folder.
            if (item.size() == 1 && item.has("name")) {
                ((ObjectNode) item).putObject("emptyDir");
            }
        }
    }

    private static void forEachContainer(ObjectNode spec, Consumer<ObjectNode> action) {
        CONTAINERS.forEach(list -> forEachContainer(spec, list, action));
    }

    private static void forEachContainer(ObjectNode spec, String list, Consumer<ObjectNode> action) {
        for (JsonNode item : spec.path(list)) {
            if (item instanceof ObjectNode container) {
                action.accept(container);
            }
        }
    }

    /** Whoever has a limit and asks for nothing asks for that. */
    private static void asksForItsLimits(ObjectNode container) {
        JsonNode limits = container.path("resources").path("limits");
        if (!limits.isEmpty()) {
            ObjectNode requests = Json.child((ObjectNode) container.path("resources"), "requests");
            limits.properties().forEach(limit -> {
                if (!requests.has(limit.getKey())) {
                    requests.set(limit.getKey(), limit.getValue());
                }
            });
        }
    }

    private static void hasPortsOfItsHost(ObjectNode container) {
        for (JsonNode port : container.path("ports")) {
            if (port.path("hostPort").asInt() == 0) {
                ((ObjectNode) port).set("hostPort", port.path("containerPort"));
            }
        }
    }

    /** The same of one list of them. */
    static void prepareContainers(ObjectNode spec, String list) {
        forEachContainer(spec, list, PodRules::prepareContainer);
    }

    private static void prepareContainer(ObjectNode container) {
        ServiceRules.putAbsent(container, "terminationMessagePath", "/dev/termination-log");
        ServiceRules.putAbsent(container, "terminationMessagePolicy", "File");
        ServiceRules.putAbsent(container, "imagePullPolicy", pullPolicy(Json.text(container, "image")));
        Json.child(container, "resources");
        for (JsonNode port : container.path("ports")) {
            ServiceRules.putAbsent((ObjectNode) port, "protocol", "TCP");
        }
    }

    /** An image without a tag, or with the tag {@code latest}, may be another one tomorrow. */
    private static String pullPolicy(String image) {
        String last = image.substring(image.lastIndexOf('/') + 1);
        boolean fixed = last.contains("@") || (last.contains(":") && !last.endsWith(":latest"));
        return fixed ? "IfNotPresent" : "Always";
    }

    @Override
    public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
        Rules.check("pods", Field.of(pod, before, causes));
    }

    /** Puts a pod back to what it was, before a part of it is written; who owns its fields is said later. */
    static void putBack(ObjectNode pod, ObjectNode before) {
        pod.removeAll();
        pod.setAll(before.deepCopy());
    }

    /** Checks a pod of which a part was written by the schema of its type. */
    static void checkSchema(ObjectNode pod, Causes causes) {
        Schemas.builtIn().find("", "v1", "Pod").ifPresent(schema -> SchemaCheck.check("Pod", schema, pod, causes));
    }
}
