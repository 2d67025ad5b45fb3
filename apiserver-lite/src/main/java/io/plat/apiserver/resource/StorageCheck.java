package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What is wrong with kinds of storage, with who provides it and with where: in the words of existing servers. */
final class StorageCheck {
    private static final List<String> RECLAIMED = List.of("Delete", "Retain");
    private static final List<String> MODES = List.of("Ephemeral", "Persistent");
    private static final List<String> FS_GROUPS = List.of("File", "None", "ReadWriteOnceWithFSType");
    private static final int LONGEST_NODE = 192;
    private static final int SHORTEST_TOKEN = 600;

    private StorageCheck() {}

    /** Checks a kind of storage. */
    static void checkClass(JsonNode object, Causes causes) {
        String provisioner = Json.text(object, "provisioner");
        if (!provisioner.isEmpty()) {
            NameRule.qualifiedName(provisioner.toLowerCase(Locale.ROOT))
                    .ifPresent(why -> causes.invalid("provisioner", provisioner, why));
        }
        for (Map.Entry<String, JsonNode> parameter : object.path("parameters").properties()) {
            if (parameter.getKey().isEmpty()) {
                causes.invalid("parameters", "", "field can not be empty.");
            }
        }
        String reclaimed = Json.text(object, "reclaimPolicy");
        causes.oneOf("reclaimPolicy", reclaimed, RECLAIMED);
    }

    /** Checks a driver. */
    static void checkDriver(JsonNode object, Causes causes) {
        NetworkVolumeCheck.checkDriverLength("metadata.name", Json.text(object.path("metadata"), "name"), causes);
        JsonNode spec = object.path("spec");
        for (JsonNode mode : spec.path("volumeLifecycleModes")) {
            if (!MODES.contains(mode.asText())) {
                causes.notSupported("spec.volumeLifecycleModes", mode.asText(), MODES);
            }
        }
        String groups = Json.text(spec, "fsGroupPolicy");
        causes.oneOf("spec.fsGroupPolicy", groups, FS_GROUPS);
        Set<String> audiences = new HashSet<>();
        for (int i = 0; i < spec.path("tokenRequests").size(); i++) {
            JsonNode token = spec.path("tokenRequests").path(i);
            String field = "spec.tokenRequests[" + i + "]";
            if (!audiences.add(Json.text(token, "audience"))) {
                causes.duplicate(field + ".audience", Json.text(token, "audience"));
            }
            JsonNode seconds = token.path("expirationSeconds");
            if (seconds.isNumber() && seconds.asLong() < SHORTEST_TOKEN) {
                causes.invalidValue(
                        field + ".expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
            }
        }
    }

    /** Checks which volume is attached where. */
    static void checkAttachment(JsonNode object, Causes causes) {
        JsonNode spec = object.path("spec");
        NetworkVolumeCheck.checkDriver("spec.attacher", Json.text(spec, "attacher"), causes);
        boolean volume = spec.path("source").has("persistentVolumeName");
        boolean inline = spec.path("source").has("inlineVolumeSpec");
        String one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        if (volume && inline) {
            causes.forbidden("spec.source", one);
        } else if (!volume && !inline) {
            causes.required("spec.source", one);
        }
        String node = Json.text(spec, "nodeName");
        if (!node.isEmpty()) {
            causes.name("spec.nodeName", node, NameRule.SUBDOMAIN);
        }
    }

    /** Checks the drivers that a node has. */
    static void checkNode(JsonNode object, Causes causes) {
        JsonNode drivers = object.path("spec").path("drivers");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < drivers.size(); i++) {
            JsonNode driver = drivers.path(i);
            String field = "spec.drivers[" + i + "]";
            String name = Json.text(driver, "name");
            NetworkVolumeCheck.checkDriver(field + ".name", name, causes);
            if (!names.add(name)) {
                causes.duplicate(field + ".name", name);
            }
            String node = Json.text(driver, "nodeID");
            if (node.length() > LONGEST_NODE) {
                causes.invalid(field + ".nodeID", node, "must be " + LONGEST_NODE + " characters or less");
            }
            causes.notNegative(
                    field + ".allocatable.count", driver.path("allocatable").path("count"));
            Set<String> keys = new HashSet<>();
            for (JsonNode key : driver.path("topologyKeys")) {
                if (!keys.add(key.asText())) {
                    causes.duplicate(field, key.asText());
                }
                causes.qualifiedName(field, key.asText());
            }
        }
    }
}
