package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is wrong with where data is that is not on a node itself, for a pod's volume and for a volume of its own: in the words of existing servers. */
final class NetworkVolumeCheck {
    private static final int LAST = 255;
    private static final int LONGEST_DRIVER = 63;
    private static final String BLOB = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    private static final String MANAGED =
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";

    private final String path;
    private final Causes causes;

    private NetworkVolumeCheck(String path, Causes causes) {
        this.path = path;
        this.causes = causes;
    }

    /**
     * Checks a volume.
     *
     * @param path where it stands
     * @param volume what names its source, by the source's field
     */
    static void check(String path, JsonNode volume, Causes causes) {
        NetworkVolumeCheck check = new NetworkVolumeCheck(path, causes);
        for (Map.Entry<String, JsonNode> source : volume.properties()) {
            switch (source.getKey()) {
                case "nfs" -> check.nfs(source.getValue());
                // The field's path is not that of the source.
                case "gcePersistentDisk" -> check.partition("persistentDisk", source.getValue());
                case "awsElasticBlockStore" -> check.partition("awsElasticBlockStore", source.getValue());
                case "iscsi" -> check.iscsi(source.getValue());
                case "fc" -> check.fibreChannel(source.getValue());
                case "azureDisk" -> check.azureDisk(source.getValue());
                case "flexVolume" -> check.flexVolume(source.getValue().path("options"));
                case "csi" -> checkDriver(path + ".csi.driver", Json.text(source.getValue(), "driver"), causes);
                default -> {}
            }
        }
    }

    /** Says what is wrong with the name of a driver. */
    static void checkDriver(String field, String name, Causes causes) {
        checkDriverLength(field, name, causes);
        if (!name.isEmpty()) {
            NameRule.SUBDOMAIN.problems(name.toLowerCase(Locale.ROOT)).forEach(why -> causes.invalid(field, name, why));
        }
    }

    /** Says so of a name that is too long for a driver; an object's own name is held to the rule of names besides. */
    static void checkDriverLength(String field, String name, Causes causes) {
        if (name.length() > LONGEST_DRIVER) {
            causes.tooLong(field, LONGEST_DRIVER);
        }
    }

    private void nfs(JsonNode nfs) {
        String where = Json.text(nfs, "path");
        if (!where.isEmpty() && !where.startsWith("/")) {
            causes.invalid(path + ".nfs.path", where, "must be an absolute path");
        }
    }

    private void partition(String field, JsonNode disk) {
        JsonNode partition = disk.path("partition");
        if (partition.isNumber() && outside(partition)) {
            causes.invalidValue(
                    path + "." + field + ".partition", partition, "must be between 1 and " + LAST + ", inclusive");
        }
    }

    private static boolean outside(JsonNode number) {
        return number.asLong() < 0 || number.asLong() > LAST;
    }

    private void unit(String field, JsonNode lun) {
        if (outside(lun)) {
            causes.invalidValue(field, lun, "must be between 0 and " + LAST + ", inclusive");
        }
    }

    private void iscsi(JsonNode iscsi) {
        String field = path + ".iscsi";
        initiator(field + ".iqn", Json.text(iscsi, "iqn"));
        if (iscsi.path("lun").isNumber()) {
            unit(field + ".lun", iscsi.path("lun"));
        }
        boolean asked = iscsi.path("chapAuthDiscovery").asBoolean()
                || iscsi.path("chapAuthSession").asBoolean();
        if (asked && !iscsi.has("secretRef")) {
            causes.required(field + ".secretRef", "");
        }
        initiator(field + ".initiatorname", Json.text(iscsi, "initiatorName"));
    }

    private void initiator(String field, String name) {
        if (name.isEmpty()) {
            return;
        }
        boolean known = name.startsWith("iqn") || name.startsWith("eui") || name.startsWith("naa");
        if (!known) {
            causes.invalid(field, name, "must be valid format starting with iqn, eui, or naa");
        } else if (name.startsWith("iqn") ? !isQualified(name) : !isNumbered(name, name.startsWith("eui") ? 16 : 32)) {
            causes.invalid(field, name, "must be valid format");
        }
    }

    /** Whether it is {@code iqn.YYYY-MM.domain:name}. */
    private static boolean isQualified(String name) {
        int colon = name.indexOf(':');
        return name.startsWith("iqn.")
                && colon > 12
                && colon < name.length() - 1
                && digits(name, 4, 8)
                && name.charAt(8) == '-'
                && digits(name, 9, 11)
                && name.charAt(11) == '.'
                && name.chars().noneMatch(c -> ",;*&$|".indexOf(c) >= 0 || Character.isWhitespace(c));
    }

    private static boolean digits(String text, int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumbered(String name, int length) {
        return name.length() == 4 + length && name.substring(4).chars().allMatch(Character::isLetterOrDigit);
    }

    private void fibreChannel(JsonNode fc) {
        JsonNode names = fc.path("targetWWNs");
        if (names.isEmpty() && fc.path("wwids").isEmpty()) {
            causes.required(path + ".fc.targetWWNs", "must specify either targetWWNs or wwids, but not both");
        } else if (!names.isEmpty() && !fc.path("wwids").isEmpty()) {
            causes.invalidValue(
                    path + ".fc.targetWWNs", names, "targetWWNs and wwids can not be specified simultaneously");
        }
        if (!names.isEmpty() && fc.path("lun").isMissingNode()) {
            causes.required(path + ".fc.lun", "lun is required if targetWWNs is specified");
        } else if (!names.isEmpty()) {
            unit(path + ".fc.lun", fc.path("lun"));
        }
    }

    private void azureDisk(JsonNode disk) {
        String uri = Json.text(disk, "diskURI");
        String kind = Json.text(disk, "kind");
        if (uri.isEmpty() || kind.isEmpty()) {
            return;
        }
        boolean managed = kind.equals("Managed");
        if (!uri.startsWith(managed ? "/subscriptions/" : "https://")) {
            causes.notSupported(path + ".azureDisk.diskURI", uri, List.of(managed ? MANAGED : BLOB));
        }
    }

    private void flexVolume(JsonNode options) {
        for (Map.Entry<String, JsonNode> option : options.properties()) {
            String key = option.getKey();
            int slash = key.indexOf('/');
            String space = "." + (slash < 0 ? key : key.substring(0, slash)).toLowerCase(Locale.ROOT);
            if (space.endsWith(".kubernetes.io") || space.endsWith(".k8s.io")) {
                causes.invalid(
                        path + ".flexVolume.options[" + key + "]",
                        key,
                        "kubernetes.io and k8s.io namespaces are reserved");
            }
        }
    }
}
