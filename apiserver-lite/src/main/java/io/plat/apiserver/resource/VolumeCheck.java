package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Validation of PersistentVolume objects, with the messages of kube-apiserver. */
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

    static void check(Field spec) {
        spec.at("accessModes").require("");
        ClaimCheck.checkModes(spec.at("accessModes"));
        capacity(spec.at("capacity"));
        Field places = spec.at("nodeAffinity").at("required");
        if (!places.isMissing()) {
            SchedulingCheck.checkNodeSelector(places);
        }
        source(spec);
        if (spec.has("local") && places.isMissing()) {
            spec.at("nodeAffinity").required("Local volume requires node affinity");
        }
        spec.at("storageClassName").optionalName(NameRule.SUBDOMAIN);
    }

    private static void capacity(Field capacity) {
        if (!capacity.require("")) {
            return;
        }
        if (!capacity.has("storage") || capacity.value().size() > 1) {
            ObjectNode shown = Json.object();
            capacity.value().properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(one -> shown.set(one.getKey(), one.getValue()));
            capacity.notSupportedLiteral(shown.toString(), List.of("storage"));
        } else {
            ClaimCheck.positive(capacity.key("storage"));
        }
    }

    private static void source(Field spec) {
        List<String> said = SOURCES.stream().filter(spec::has).toList();
        if (said.isEmpty()) {
            spec.required("must specify a volume type");
        }
        said.stream().skip(1).forEach(one -> spec.at(one).forbidden("may not specify more than 1 volume type"));
        NetworkVolumeCheck.check(spec);
        Field hostPath = spec.at("hostPath").at("path");
        VolumeSourceCheck.checkUpward(hostPath);
        VolumeSourceCheck.checkUpward(spec.at("local").at("path"));
        Field reclaim = spec.at("persistentVolumeReclaimPolicy");
        if (isRoot(hostPath.text()) && reclaim.is("Recycle")) {
            reclaim.forbidden("may not be 'recycle' for a hostPath mount of '/'");
        }
        for (String secret : SECRETS) {
            Field reference = spec.at("csi").at(secret);
            if (!reference.isMissing()) {
                reference.at("name").require("");
                reference.at("namespace").require("");
            }
        }
    }

    private static boolean isRoot(String path) {
        return !path.isEmpty() && path.chars().allMatch(c -> c == '/');
    }
}
