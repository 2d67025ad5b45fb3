package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Validation of volume sources that are not on a node itself, of pods and of persistent volumes, with the messages of kube-apiserver. */
final class NetworkVolumeCheck {
    private static final int LAST = 255;
    private static final int LONGEST_DRIVER = 63;
    private static final String BLOB = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    private static final String MANAGED =
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";

    private NetworkVolumeCheck() {}

    /** Checks the source of a volume, which is named by its field. */
    static void check(Field volume) {
        for (Map.Entry<String, JsonNode> member : volume.value().properties()) {
            Field source = volume.at(member.getKey());
            switch (member.getKey()) {
                case "nfs" -> nfs(source.at("path"));
                // kube-apiserver places it elsewhere.
                case "gcePersistentDisk" -> partition(volume.as("persistentDisk", member.getValue()));
                case "awsElasticBlockStore" -> partition(source);
                case "iscsi" -> iscsi(source);
                case "fc" -> fibreChannel(source);
                case "azureDisk" -> azureDisk(source);
                case "flexVolume" -> source.at("options").entries().forEach(NetworkVolumeCheck::flexOption);
                case "csi" -> checkDriver(source.at("driver"));
                default -> {}
            }
        }
    }

    /** Checks the name of a driver. */
    static void checkDriver(Field name) {
        checkDriverLength(name);
        if (!name.isEmpty()) {
            NameRule.SUBDOMAIN.problems(name.text().toLowerCase(Locale.ROOT)).forEach(name::invalid);
        }
    }

    /** Checks the length of a driver's name; an object's own name is held to the rule of names besides. */
    static void checkDriverLength(Field name) {
        if (name.text().length() > LONGEST_DRIVER) {
            name.tooLong(LONGEST_DRIVER);
        }
    }

    private static void nfs(Field path) {
        if (!path.isEmpty() && !path.text().startsWith("/")) {
            path.invalid("must be an absolute path");
        }
    }

    private static void partition(Field disk) {
        disk.at("partition").range(0, LAST, "must be between 1 and " + LAST + ", inclusive");
    }

    private static void unit(Field lun) {
        lun.range(0, LAST, "must be between 0 and " + LAST + ", inclusive");
    }

    private static void iscsi(Field iscsi) {
        initiator(iscsi.at("iqn"));
        unit(iscsi.at("lun"));
        boolean asked = iscsi.at("chapAuthDiscovery").flag()
                || iscsi.at("chapAuthSession").flag();
        if (asked && !iscsi.has("secretRef")) {
            iscsi.at("secretRef").required("");
        }
        initiator(iscsi.as("initiatorname", iscsi.value().path("initiatorName")));
    }

    private static void initiator(Field field) {
        String name = field.text();
        if (name.isEmpty()) {
            return;
        }
        boolean known = name.startsWith("iqn") || name.startsWith("eui") || name.startsWith("naa");
        if (!known) {
            field.invalid("must be valid format starting with iqn, eui, or naa");
        } else if (name.startsWith("iqn") ? !isQualified(name) : !isNumbered(name, name.startsWith("eui") ? 16 : 32)) {
            field.invalid("must be valid format");
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
        return text.substring(begin, end).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isNumbered(String name, int length) {
        return name.length() == 4 + length && name.substring(4).chars().allMatch(Character::isLetterOrDigit);
    }

    private static void fibreChannel(Field fc) {
        Field names = fc.at("targetWWNs");
        boolean others = !fc.at("wwids").isEmpty();
        if (names.isEmpty()) {
            if (!others) {
                names.required("must specify either targetWWNs or wwids, but not both");
            }
            return;
        }
        if (others) {
            names.invalidValue("targetWWNs and wwids can not be specified simultaneously");
        }
        if (!fc.has("lun")) {
            fc.at("lun").required("lun is required if targetWWNs is specified");
        }
        unit(fc.at("lun"));
    }

    private static void azureDisk(Field disk) {
        Field uri = disk.at("diskURI");
        String kind = disk.text("kind");
        if (uri.isEmpty() || kind.isEmpty()) {
            return;
        }
        boolean managed = kind.equals("Managed");
        if (!uri.text().startsWith(managed ? "/subscriptions/" : "https://")) {
            uri.notSupported(List.of(managed ? MANAGED : BLOB));
        }
    }

    private static void flexOption(Field option) {
        String key = option.path().name();
        int slash = key.indexOf('/');
        String space = "." + (slash < 0 ? key : key.substring(0, slash)).toLowerCase(Locale.ROOT);
        if (space.endsWith(".kubernetes.io") || space.endsWith(".k8s.io")) {
            option.invalid(key, "kubernetes.io and k8s.io namespaces are reserved");
        }
    }
}
