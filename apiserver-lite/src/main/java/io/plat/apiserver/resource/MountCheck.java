package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with where containers have volumes, as folders and as devices: in the words of existing servers. */
final class MountCheck {
    private static final List<String> RECURSION = List.of("Disabled", "Enabled", "IfPossible");

    private final Causes causes;

    /** The volumes of the pod by their names; what is claimed for each pod stands in the place of a volume of that name. */
    private final Map<String, JsonNode> volumes = new HashMap<>();

    /**
     * A check of the containers of one pod.
     *
     * @param claims templates of claims, each of which a pod has a volume from; a missing node for none
     */
    MountCheck(JsonNode volumes, JsonNode claims, Causes causes) {
        this.causes = causes;
        JsonNode claimed = Json.object().set("persistentVolumeClaim", Json.object());
        claims.forEach(claim -> this.volumes.put(Json.text(claim.path("metadata"), "name"), claimed));
        volumes.forEach(volume -> this.volumes.put(Json.text(volume, "name"), volume));
    }

    /** Checks a container that stands at a path. */
    void check(String path, JsonNode container) {
        JsonNode mounts = container.path("volumeMounts");
        JsonNode devices = container.path("volumeDevices");
        boolean privileged =
                container.path("securityContext").path("privileged").asBoolean();
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = path + ".volumeMounts[" + i + "]";
            mount(at, mounts.path(i), paths);
            if (!devices.isEmpty()) {
                overlap(at, "mountPath", mounts.path(i), devices, "devicePath", "volumeDevices");
            }
            // The field's paths are those of the list.
            propagation(path + ".volumeMounts.", mounts.path(i), privileged);
        }
        devices(path + ".volumeDevices", devices, mounts);
    }

    private void mount(String at, JsonNode mount, Set<String> paths) {
        String name = Json.text(mount, "name");
        if (name.isEmpty()) {
            causes.required(at + ".name", "");
        } else if (!volumes.containsKey(name)) {
            causes.notFound(at + ".name", name);
        }
        String where = Json.text(mount, "mountPath");
        if (where.isEmpty()) {
            causes.required(at + ".mountPath", "");
        } else if (!paths.add(where)) {
            causes.invalid(at + ".mountPath", where, "must be unique");
        }
        String below = Json.text(mount, "subPath");
        VolumeSourceCheck.checkBelow(at + ".subPath", below, causes);
        String worked = Json.text(mount, "subPathExpr");
        if (!below.isEmpty() && !worked.isEmpty()) {
            causes.invalid(at + ".subPathExpr", worked, "subPathExpr and subPath are mutually exclusive");
        }
        VolumeSourceCheck.checkBelow(at + ".subPathExpr", worked, causes);
    }

    private void overlap(String at, String path, JsonNode one, JsonNode others, String otherPath, String list) {
        String name = Json.text(one, "name");
        String where = Json.text(one, path);
        boolean sameName = false;
        boolean samePath = false;
        for (JsonNode other : others) {
            sameName |= Json.text(other, "name").equals(name);
            samePath |= Json.text(other, otherPath).equals(where);
        }
        if (sameName) {
            causes.invalid(at + ".name", name, "must not already exist in " + list);
        }
        if (samePath) {
            causes.invalid(at + "." + path, where, "must not already exist as a path in " + list);
        }
    }

    private void propagation(String field, JsonNode mount, boolean privileged) {
        String propagation = Json.text(mount, "mountPropagation");
        if (propagation.equals("Bidirectional") && !privileged) {
            causes.forbidden(
                    field + "mountPropagation",
                    "Bidirectional mount propagation is available only to privileged containers");
        }
        String recursion = Json.text(mount, "recursiveReadOnly");
        if (recursion.isEmpty() || recursion.equals("Disabled")) {
            return;
        }
        if (!RECURSION.contains(recursion)) {
            causes.notSupported(field + "recursiveReadOnly", recursion, RECURSION);
            return;
        }
        if (!mount.path("readOnly").asBoolean()) {
            causes.forbidden(field + "recursiveReadOnly", "may only be specified when readOnly is true");
        }
        if (!propagation.isEmpty() && !propagation.equals("None")) {
            causes.forbidden(
                    field + "recursiveReadOnly",
                    "may only be specified when mountPropagation is None or not specified");
        }
    }

    private void devices(String field, JsonNode devices, JsonNode mounts) {
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < devices.size(); i++) {
            String at = field + "[" + i + "]";
            String name = Json.text(devices.path(i), "name");
            String path = Json.text(devices.path(i), "devicePath");
            JsonNode volume = volumes.get(name);
            if (!name.isEmpty() && !names.add(name)) {
                causes.invalid(at + ".name", name, "must be unique");
            }
            if (volume == null) {
                causes.notFound(at + ".name", name);
            } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
                causes.invalid(
                        at + ".name",
                        name,
                        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            if (!path.isEmpty() && !paths.add(path)) {
                causes.invalid(at + ".devicePath", path, "must be unique");
            }
            if (VolumeSourceCheck.goesUp(path)) {
                causes.invalid(at + ".devicePath", path, "can not contain backsteps ('..')");
            }
            overlap(at, "devicePath", devices.path(i), mounts, "mountPath", "volumeMounts");
        }
    }
}
