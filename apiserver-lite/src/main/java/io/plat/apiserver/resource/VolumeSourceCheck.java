package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;

/** What is wrong with where a pod's volume is from, and with paths in it: in the words of existing servers. */
final class VolumeSourceCheck {
    private static final int ALL_MODES = 0777;

    private final Causes causes;

    private VolumeSourceCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks a volume that stands at a path. */
    static void check(String path, JsonNode volume, Causes causes) {
        VolumeSourceCheck check = new VolumeSourceCheck(causes);
        check.files(path + ".configMap", volume.path("configMap"), "name");
        check.files(path + ".secret", volume.path("secret"), "secretName");
        check.mode(path + ".downwardAPI.defaultMode", volume.path("downwardAPI").path("defaultMode"));
        check.items(path + ".downwardAPI", volume.path("downwardAPI"));
        check.projected(path + ".projected", volume.path("projected"));
        String onHost = Json.text(volume.path("hostPath"), "path");
        if (goesUp(onHost)) {
            causes.invalid(path + ".hostPath.path", onHost, "must not contain '..'");
        }
        if (QualityOfService.amount(volume.path("emptyDir").path("sizeLimit")).signum() < 0) {
            causes.forbidden(path + ".emptyDir.sizeLimit", "SizeLimit field must be a valid resource quantity");
        }
    }

    /** Says what is wrong with a path that has to stay below the one it begins at. */
    static void checkBelow(String field, String path, Causes causes) {
        if (path.startsWith("/")) {
            causes.invalid(field, path, "must be a relative path");
        }
        if (goesUp(path)) {
            causes.invalid(field, path, "must not contain '..'");
        }
    }

    private static boolean goesUp(String path) {
        return path.contains("..") && Arrays.asList(path.split("/", -1)).contains("..");
    }

    private void files(String field, JsonNode source, String name) {
        if (source.isObject() && Json.text(source, name).isEmpty()) {
            causes.required(field + "." + name, "");
        }
        mode(field + ".defaultMode", source.path("defaultMode"));
        items(field, source);
    }

    private void items(String field, JsonNode source) {
        JsonNode items = source.path("items");
        for (int i = 0; i < items.size(); i++) {
            String at = field + ".items[" + i + "]";
            checkBelow(at + ".path", Json.text(items.path(i), "path"), causes);
            mode(at + ".mode", items.path(i).path("mode"));
        }
    }

    private void projected(String field, JsonNode projected) {
        mode(field + ".defaultMode", projected.path("defaultMode"));
        JsonNode sources = projected.path("sources");
        for (int i = 0; i < sources.size(); i++) {
            String at = field + ".sources[" + i + "]";
            JsonNode source = sources.path(i);
            if (source.size() > 1) {
                causes.forbidden(at, "may not specify more than 1 volume type");
            }
            for (String kind : List.of("configMap", "secret")) {
                files(at + "." + kind, source.path(kind), "name");
            }
            items(at + ".downwardAPI", source.path("downwardAPI"));
        }
    }

    private void mode(String field, JsonNode mode) {
        if (mode.isNumber() && (mode.asLong() < 0 || mode.asLong() > ALL_MODES)) {
            causes.invalidValue(field, mode, "must be a number between 0 and 0777 (octal), both inclusive");
        }
    }
}
