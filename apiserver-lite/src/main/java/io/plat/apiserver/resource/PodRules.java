package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pods: the defaults that clients show, and what may still change once one is made. Nothing runs them: they stay Pending. */
final class PodRules implements TypeRules {
    private static final List<String> RESTART = List.of("Always", "OnFailure", "Never");
    private static final List<String> PULL = List.of("Always", "IfNotPresent", "Never");
    /** What is said of a pod when it is made. */
    private static final List<String> KEPT = List.of("priority", "preemptionPolicy");

    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

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
        JsonNode spec = pod.path("spec");
        Field whole = Field.of("spec", spec, causes);
        checkContainers(whole);
        if (before == null) {
            // What is there already was checked by the rules of its time.
            PodSpecCheck.check(whole, MissingNode.getInstance());
            checkCost(pod.path("metadata").path("annotations"), causes);
        } else {
            Tolerations.checkKept(before.path("spec").path("tolerations"), spec.path("tolerations"), causes);
        }
        if (!RESTART.contains(whole.text("restartPolicy"))) {
            whole.at("restartPolicy").notSupported(RESTART);
        }
        if (before == null && !spec.path(EphemeralContainers.FIELD).isEmpty()) {
            causes.forbidden("spec." + EphemeralContainers.FIELD, "cannot be set on create");
        }
        if (before != null && !fixedPart(pod).equals(fixedPart(before))) {
            causes.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,"
                            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
                            + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be"
                            + " set to 1 if it was previously negative)");
        }
    }

    private static void checkCost(JsonNode annotations, Causes causes) {
        String cost = Json.text(annotations, DELETION_COST);
        if (annotations.has(DELETION_COST) && !isInt(cost)) {
            causes.invalid("metadata.annotations[" + DELETION_COST + "]", cost, "must be a 32bit integer");
        }
    }

    private static boolean isInt(String text) {
        try {
            String plain = Integer.toString(Integer.parseInt(text));
            // Neither a sign nor zeros before it.
            return plain.equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Checks the containers of the spec of a pod, or of a template of pods. */
    static void checkContainers(Field spec) {
        spec.at("containers").require("");
        var names = new HashSet<String>();
        for (String list : CONTAINERS) {
            spec.at(list).forEach(container -> checkContainer(container, names));
        }
    }

    static void checkContainer(Field container, Set<String> names) {
        Field name = container.at("name");
        if (name.require("")) {
            name.name(NameRule.LABEL);
            name.unique(names);
        }
        container.at("image").require("");
        if (!PULL.contains(container.text("imagePullPolicy"))) {
            container.at("imagePullPolicy").notSupported(PULL);
        }
        for (Field port : container.at("ports")) {
            Field number = port.at("containerPort");
            if (number.number() == 0) {
                number.required("");
            } else {
                PortNames.checkNumber(number);
            }
        }
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

    /** What of a pod never changes: its spec without images, deadline and tolerations. */
    private static JsonNode fixedPart(ObjectNode pod) {
        ObjectNode spec = Json.child(pod.deepCopy(), "spec");
        spec.remove(List.of("activeDeadlineSeconds", "tolerations"));
        forEachContainer(spec, container -> container.remove("image"));
        return spec;
    }
}
