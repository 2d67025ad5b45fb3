package io.plat.apiserver.resource;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Validation of storage classes, of drivers, of attachments and of the drivers of nodes, with the messages of kube-apiserver. */
final class StorageCheck {
    private static final List<String> RECLAIMED = List.of("Delete", "Retain");
    private static final List<String> MODES = List.of("Ephemeral", "Persistent");
    private static final List<String> FS_GROUPS = List.of("File", "None", "ReadWriteOnceWithFSType");
    private static final int LONGEST_NODE = 192;
    private static final int SHORTEST_TOKEN = 600;
    private static final String ONE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

    private StorageCheck() {}

    static void checkClass(Field object) {
        Field provisioner = object.at("provisioner");
        if (!provisioner.isEmpty()) {
            NameRule.qualifiedName(provisioner.text().toLowerCase(Locale.ROOT)).ifPresent(provisioner::invalid);
        }
        if (object.at("parameters").has("")) {
            object.at("parameters").invalid("", "field can not be empty.");
        }
        object.at("reclaimPolicy").oneOf(RECLAIMED);
    }

    static void checkDriver(Field object) {
        NetworkVolumeCheck.checkDriverLength(object.at("metadata").at("name"));
        Field spec = object.at("spec");
        Field modes = spec.at("volumeLifecycleModes");
        for (String mode : modes.texts()) {
            if (!MODES.contains(mode)) {
                modes.notSupported(mode, MODES);
            }
        }
        spec.at("fsGroupPolicy").oneOf(FS_GROUPS);
        Set<String> audiences = new HashSet<>();
        for (Field token : spec.at("tokenRequests")) {
            token.at("audience").unique(audiences);
            token.at("expirationSeconds")
                    .range(SHORTEST_TOKEN, Long.MAX_VALUE, "may not specify a duration less than 10 minutes");
        }
    }

    /** Checks which volume is attached where. */
    static void checkAttachment(Field spec) {
        NetworkVolumeCheck.checkDriver(spec.at("attacher"));
        Field source = spec.at("source");
        boolean volume = source.has("persistentVolumeName");
        boolean inline = source.has("inlineVolumeSpec");
        if (volume && inline) {
            source.forbidden(ONE);
        } else if (!volume && !inline) {
            source.required(ONE);
        }
        spec.at("nodeName").optionalName(NameRule.SUBDOMAIN);
    }

    /** Checks the drivers that a node has. */
    static void checkNode(Field drivers) {
        Set<String> names = new HashSet<>();
        for (Field driver : drivers) {
            NetworkVolumeCheck.checkDriver(driver.at("name"));
            driver.at("name").unique(names);
            Field node = driver.at("nodeID");
            if (node.text().length() > LONGEST_NODE) {
                node.invalid("must be " + LONGEST_NODE + " characters or less");
            }
            driver.at("allocatable").at("count").notNegative();
            Set<String> keys = new HashSet<>();
            for (String key : driver.at("topologyKeys").texts()) {
                if (!keys.add(key)) {
                    driver.duplicate(key);
                }
                driver.qualifiedName(key);
            }
        }
    }
}
