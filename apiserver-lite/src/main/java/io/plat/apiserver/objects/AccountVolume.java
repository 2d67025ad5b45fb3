package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.tree.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Volume with the service account token of a new pod. It is mounted in all containers, unless the pod or the account opts out ({@code
 * automountServiceAccountToken}).
 */
public final class AccountVolume {
    private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String NAME = "kube-api-access-";

    /** Annotation of mirror pods. */
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private AccountVolume() {}

    /** Adds the volume and its mounts, and the account's pull secrets to a pod without any. */
    public static void add(ObjectNode pod, ObjectNode spec, JsonNode account, ObjectIdentity identity) {
        if (pod.path("metadata").path("annotations").has(MIRROR)) {
            return;
        }
        if (spec.path("imagePullSecrets").isEmpty()
                && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets").deepCopy());
        }
        JsonNode said = spec.path("automountServiceAccountToken");
        boolean mounts = (said.isBoolean() ? said : account.path("automountServiceAccountToken")).asBoolean(true);
        List<ObjectNode> containers = mounts ? without(spec) : List.of();
        if (containers.isEmpty()) {
            return;
        }
        String name = existing(spec.path("volumes"));
        if (name.isEmpty()) {
            name = identity.name(NAME);
            spec.withArray("volumes").add(volume(name));
        }
        for (ObjectNode container : containers) {
            container
                    .withArray("volumeMounts")
                    .addObject()
                    .put("name", name)
                    .put("readOnly", true)
                    .put("mountPath", MOUNT_PATH);
        }
    }

    /** Returns the containers without a mount at the path. */
    private static List<ObjectNode> without(ObjectNode spec) {
        var containers = new ArrayList<ObjectNode>();
        for (String list : PodRules.CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                boolean mounted = container
                        .path("volumeMounts")
                        .valueStream()
                        .anyMatch(mount -> Json.text(mount, "mountPath").equals(MOUNT_PATH));
                if (!mounted) {
                    containers.add((ObjectNode) container);
                }
            }
        }
        return containers;
    }

    private static String existing(JsonNode volumes) {
        return volumes.valueStream()
                .map(volume -> Json.text(volume, "name"))
                .filter(name -> name.startsWith(NAME))
                .findFirst()
                .orElse("");
    }

    private static ObjectNode volume(String name) {
        ObjectNode volume = Json.object().put("name", name);
        var sources = volume.putObject("projected").put("defaultMode", 420).withArray("sources");
        sources.addObject()
                .putObject("serviceAccountToken")
                .put("expirationSeconds", 3607)
                .put("path", "token");
        ObjectNode authority = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
        authority.withArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
        ObjectNode item =
                sources.addObject().putObject("downwardAPI").withArray("items").addObject();
        item.put("path", "namespace")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "metadata.namespace");
        return volume;
    }
}
