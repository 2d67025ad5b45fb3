package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeMap;

/** What is wrong with volumes that claims are for: in the words of existing servers. */
final class VolumeCheck {
    /** Where the data of a volume can be, in the order in which they are looked at. */
    private static final List<String> SOURCES = List.of(
            "hostPath",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "glusterfs",
            "flocker",
            "nfs",
            "rbd",
            "quobyte",
            "cephfs",
            "iscsi",
            "cinder",
            "fc",
            "flexVolume",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "scaleIO",
            "local",
            "storageos",
            "csi");

    private static final List<String> SECRETS = List.of(
            "controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef");

    private VolumeCheck() {}

    /** Checks one. */
    static void check(JsonNode spec, Causes causes) {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "");
        }
        ClaimCheck.checkModes("spec", spec, causes);
        capacity(spec.path("capacity"), causes);
        boolean placed = spec.path("nodeAffinity").has("required");
        if (placed) {
            SchedulingCheck.checkNodeSelector(
                    "spec.nodeAffinity.required", spec.path("nodeAffinity").path("required"), causes);
        }
        source(spec, causes);
        if (spec.has("local") && !placed) {
            causes.required("spec.nodeAffinity", "Local volume requires node affinity");
        }
        ClaimCheck.checkClass("spec", spec, causes);
    }

    private static void capacity(JsonNode capacity, Causes causes) {
        JsonNode storage = capacity.path("storage");
        if (capacity.isEmpty()) {
            causes.required("spec.capacity", "");
        } else if (storage.isMissingNode() || capacity.size() > 1) {
            var sorted = new TreeMap<String, JsonNode>();
            capacity.properties().forEach(one -> sorted.put(one.getKey(), one.getValue()));
            ObjectNode shown = Json.object();
            sorted.forEach(shown::set);
            causes.notSupportedLiteral("spec.capacity", shown.toString(), List.of("storage"));
        } else if (QualityOfService.amount(storage).signum() <= 0) {
            causes.invalid("spec.capacity[storage]", storage.asText(), "must be greater than zero");
        }
    }

    private static void source(JsonNode spec, Causes causes) {
        List<String> said = SOURCES.stream().filter(spec::has).toList();
        if (said.isEmpty()) {
            causes.required("spec", "must specify a volume type");
        }
        said.stream()
                .skip(1)
                .forEach(one -> causes.forbidden("spec." + one, "may not specify more than 1 volume type"));
        NetworkVolumeCheck.check("spec", spec, causes);
        for (String kind : List.of("hostPath", "local")) {
            VolumeSourceCheck.checkUpward("spec." + kind + ".path", Json.text(spec.path(kind), "path"), causes);
        }
        if (isRoot(Json.text(spec.path("hostPath"), "path"))
                && Json.text(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
            causes.forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
        }
        for (String secret : SECRETS) {
            if (spec.path("csi").has(secret)) {
                for (String field : List.of("name", "namespace")) {
                    if (Json.text(spec.path("csi").path(secret), field).isEmpty()) {
                        causes.required("spec.csi." + secret + "." + field, "");
                    }
                }
            }
        }
    }

    private static boolean isRoot(String path) {
        return !path.isEmpty() && path.chars().allMatch(c -> c == '/');
    }
}
