package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of where containers have volumes, as folders and as devices, with the messages of kube-apiserver. */
final class MountCheck {
    private static final List<String> RECURSION = List.of("Disabled", "Enabled", "IfPossible");

    /** The volumes of the pod by their names; what is claimed for each pod stands in the place of a volume of that name. */
    private final Map<String, JsonNode> volumes = new HashMap<>();

    /**
     * A check of the containers of one pod.
     *
     * @param claims templates of claims, each of which a pod has a volume from; a missing node for none
     */
    MountCheck(JsonNode volumes, JsonNode claims) {
        JsonNode claimed = Json.object().set("persistentVolumeClaim", Json.object());
        claims.forEach(claim -> this.volumes.put(Json.text(claim.path("metadata"), "name"), claimed));
        volumes.forEach(volume -> this.volumes.put(Json.text(volume, "name"), volume));
    }

    void check(Field container) {
        Field mounts = container.at("volumeMounts");
        Field devices = container.at("volumeDevices");
        boolean privileged = container.at("securityContext").at("privileged").flag();
        Set<String> paths = new HashSet<>();
        for (Field mount : mounts) {
            mount(mount, paths);
            if (!devices.isEmpty()) {
                overlap(mount, "mountPath", devices, "devicePath");
            }
            // kube-apiserver reports these at the list.
            propagation(container.as("volumeMounts", mount.value()), privileged);
        }
        devices(devices, mounts);
    }

    private void mount(Field mount, Set<String> paths) {
        Field name = mount.at("name");
        if (name.require("") && !volumes.containsKey(name.text())) {
            name.notFound();
        }
        Field where = mount.at("mountPath");
        if (where.require("") && !paths.add(where.text())) {
            where.invalid("must be unique");
        }
        Field expression = mount.at("subPathExpr");
        VolumeSourceCheck.checkBelow(mount.at("subPath"));
        if (!mount.at("subPath").isEmpty() && !expression.isEmpty()) {
            expression.invalid("subPathExpr and subPath are mutually exclusive");
        }
        VolumeSourceCheck.checkBelow(expression);
    }

    private static void overlap(Field one, String path, Field others, String otherPath) {
        boolean sameName = false;
        boolean samePath = false;
        for (JsonNode other : others.value()) {
            sameName |= one.at("name").is(Json.text(other, "name"));
            samePath |= one.at(path).is(Json.text(other, otherPath));
        }
        if (sameName) {
            one.at("name").invalid("must not already exist in " + others.path().name());
        }
        if (samePath) {
            one.at(path)
                    .invalid("must not already exist as a path in "
                            + others.path().name());
        }
    }

    private static void propagation(Field mount, boolean privileged) {
        Field propagation = mount.at("mountPropagation");
        if (propagation.is("Bidirectional") && !privileged) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
        Field recursion = mount.at("recursiveReadOnly");
        if (recursion.isEmpty() || recursion.is("Disabled")) {
            return;
        }
        if (!RECURSION.contains(recursion.text())) {
            recursion.notSupported(RECURSION);
            return;
        }
        if (!mount.at("readOnly").flag()) {
            recursion.forbidden("may only be specified when readOnly is true");
        }
        if (!propagation.isEmpty() && !propagation.is("None")) {
            recursion.forbidden("may only be specified when mountPropagation is None or not specified");
        }
    }

    private void devices(Field devices, Field mounts) {
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        for (Field device : devices) {
            Field name = device.at("name");
            Field path = device.at("devicePath");
            if (!name.isEmpty() && !names.add(name.text())) {
                name.invalid("must be unique");
            }
            JsonNode volume = volumes.get(name.text());
            if (volume == null) {
                name.notFound();
            } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
                name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            if (!path.isEmpty() && !paths.add(path.text())) {
                path.invalid("must be unique");
            }
            if (VolumeSourceCheck.goesUp(path.text())) {
                path.invalid("can not contain backsteps ('..')");
            }
            overlap(device, "devicePath", mounts, "mountPath");
        }
    }
}
