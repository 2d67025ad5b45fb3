package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with files that are made of other objects and of the pod itself: in the words of existing servers. */
final class ProjectionCheck {
    private static final int ALL_MODES = 0777;
    private static final int SHORTEST_TOKEN = 600;

    /** The fields of a pod that a file can have the value of. */
    private static final List<String> FIELDS =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private final Causes causes;

    ProjectionCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks files of an object that is called so. */
    void files(String field, JsonNode source, String name) {
        if (source.isObject() && Json.text(source, name).isEmpty()) {
            causes.required(field + "." + name, "");
        }
        mode(field + ".defaultMode", source.path("defaultMode"));
        JsonNode items = source.path("items");
        for (int i = 0; i < items.size(); i++) {
            item(field + ".items[" + i + "]", items.path(i));
        }
    }

    private void item(String field, JsonNode item) {
        checkFile(field + ".path", Json.text(item, "path"));
        mode(field + ".mode", item.path("mode"));
    }

    /** Checks files of the pod itself. */
    void downward(String field, JsonNode source) {
        mode(field + ".defaultMode", source.path("defaultMode"));
        JsonNode items = source.path("items");
        for (int i = 0; i < items.size(); i++) {
            JsonNode item = items.path(i);
            item(field + ".items[" + i + "]", item);
            // What a file is of is told of the source, not of the file.
            if (item.has("fieldRef")) {
                podField(field + ".fieldRef.fieldPath", Json.text(item.path("fieldRef"), "fieldPath"));
                if (item.has("resourceFieldRef")) {
                    causes.invalid(
                            field, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
                }
            } else if (item.has("resourceFieldRef")) {
                ResourceFields.check(field + ".resourceFieldRef", item.path("resourceFieldRef"), true, causes);
            } else {
                causes.required(field, "one of fieldRef and resourceFieldRef is required");
            }
        }
    }

    private void podField(String field, String path) {
        if (!path.isEmpty() && !FIELDS.contains(path) && !EnvironmentCheck.isOfKey(path)) {
            causes.notSupported(field, path, FIELDS);
        }
    }

    /** Checks files of several sources. */
    void projected(String field, JsonNode projected) {
        mode(field + ".defaultMode", projected.path("defaultMode"));
        JsonNode sources = projected.path("sources");
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            String at = field + ".sources[" + i + "]";
            JsonNode source = sources.path(i);
            for (String kind : List.of("secret", "configMap")) {
                files(at + "." + kind, source.path(kind), "name");
                collect(field, source.path(kind), Json.text(source.path(kind), "name"), paths);
            }
            downward(at + ".downwardAPI", source.path("downwardAPI"));
            collect(field, source.path("downwardAPI"), "", paths);
            token(at + ".serviceAccountToken", field + ".path", source.path("serviceAccountToken"));
            if (source.has("clusterTrustBundle")) {
                bundle(at + ".clusterTrustBundlePEM", source.path("clusterTrustBundle"));
            }
            if (source.size() > 1) {
                causes.forbidden(at, "may not specify more than 1 volume type");
            }
        }
    }

    private void collect(String field, JsonNode source, String name, Set<String> paths) {
        for (JsonNode item : source.path("items")) {
            String path = Json.text(item, "path");
            if (!path.isEmpty() && !paths.add(path)) {
                causes.invalid(field, name.isEmpty() ? path : name, "conflicting duplicate paths");
            }
        }
    }

    private void token(String field, String ofPath, JsonNode token) {
        JsonNode seconds = token.path("expirationSeconds");
        if (seconds.isNumber() && seconds.asLong() < SHORTEST_TOKEN) {
            causes.invalidValue(
                    field + ".expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
        } else if (seconds.isNumber() && seconds.asLong() > 1L << 32) {
            causes.invalidValue(
                    field + ".expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
        }
        checkFile(ofPath, Json.text(token, "path"));
    }

    private void bundle(String field, JsonNode bundle) {
        if (bundle.has("name") && bundle.has("signerName")) {
            causes.invalidValue(field, bundle, "only one of name and signerName may be used");
        } else if (bundle.has("name") && bundle.has("labelSelector")) {
            causes.invalidValue(
                    field + ".labelSelector",
                    bundle.path("labelSelector"),
                    "labelSelector must be unset if name is specified");
        } else if (!bundle.has("name") && !bundle.has("signerName")) {
            causes.required(field, "either name or signerName must be specified");
        }
        checkFile(field + ".path", Json.text(bundle, "path"));
    }

    private void checkFile(String field, String path) {
        VolumeSourceCheck.checkBelow(field, path, causes);
        if (path.startsWith("..") && !path.startsWith("../") && !path.equals("..")) {
            causes.invalid(field, path, "must not start with '..'");
        }
    }

    private void mode(String field, JsonNode mode) {
        if (mode.isNumber() && (mode.asLong() < 0 || mode.asLong() > ALL_MODES)) {
            causes.invalidValue(field, mode, "must be a number between 0 and 0777 (octal), both inclusive");
        }
    }
}
