package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of files that are made of other objects and of the pod itself, with the messages of kube-apiserver. */
final class ProjectionCheck {
    private static final int ALL_MODES = 0777;
    private static final int SHORTEST_TOKEN = 600;

    /** The fields of a pod that a file can have the value of. */
    private static final List<String> FIELDS =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private ProjectionCheck() {}

    /** Checks files of an object that a field names. */
    static void files(Field source, String name) {
        if (source.value().isObject()) {
            source.at(name).require("");
        }
        mode(source.at("defaultMode"));
        source.at("items").forEach(ProjectionCheck::item);
    }

    private static void item(Field item) {
        checkFile(item.at("path"));
        mode(item.at("mode"));
    }

    /** Checks files of the pod itself. */
    static void downward(Field source) {
        mode(source.at("defaultMode"));
        for (Field item : source.at("items")) {
            item(item);
            // kube-apiserver reports these at the source.
            JsonNode file = item.value();
            if (file.has("fieldRef")) {
                podField(source.as("fieldRef", file.path("fieldRef")).at("fieldPath"));
                if (file.has("resourceFieldRef")) {
                    source.invalid("resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
                }
            } else if (file.has("resourceFieldRef")) {
                ResourceFields.check(source.as("resourceFieldRef", file.path("resourceFieldRef")), true);
            } else {
                source.required("one of fieldRef and resourceFieldRef is required");
            }
        }
    }

    private static void podField(Field field) {
        if (!EnvironmentCheck.isOfKey(field.text())) {
            field.oneOf(FIELDS);
        }
    }

    /** Checks files of several sources. */
    static void projected(Field projected) {
        mode(projected.at("defaultMode"));
        Set<String> paths = new HashSet<>();
        for (Field source : projected.at("sources")) {
            for (String kind : List.of("secret", "configMap")) {
                files(source.at(kind), "name");
                collect(projected, source.at(kind), source.at(kind).text("name"), paths);
            }
            downward(source.at("downwardAPI"));
            collect(projected, source.at("downwardAPI"), "", paths);
            token(source.at("serviceAccountToken"), projected);
            if (source.has("clusterTrustBundle")) {
                bundle(source.as("clusterTrustBundlePEM", source.value().path("clusterTrustBundle")));
            }
            if (source.value().size() > 1) {
                source.forbidden("may not specify more than 1 volume type");
            }
        }
    }

    private static void collect(Field projected, Field source, String name, Set<String> paths) {
        for (Field item : source.at("items")) {
            String path = item.text("path");
            if (!path.isEmpty() && !paths.add(path)) {
                projected.invalid(name.isEmpty() ? path : name, "conflicting duplicate paths");
            }
        }
    }

    private static void token(Field token, Field projected) {
        Field seconds = token.at("expirationSeconds");
        seconds.range(SHORTEST_TOKEN, Long.MAX_VALUE, "may not specify a duration less than 10 minutes");
        seconds.range(Long.MIN_VALUE, 1L << 32, "may not specify a duration larger than 2^32 seconds");
        checkFile(projected.as("path", token.value().path("path")));
    }

    private static void bundle(Field bundle) {
        boolean named = bundle.has("name");
        if (named && bundle.has("signerName")) {
            bundle.invalidValue("only one of name and signerName may be used");
        } else if (named && bundle.has("labelSelector")) {
            bundle.at("labelSelector").invalidValue("labelSelector must be unset if name is specified");
        } else if (!named && !bundle.has("signerName")) {
            bundle.required("either name or signerName must be specified");
        }
        checkFile(bundle.at("path"));
    }

    private static void checkFile(Field field) {
        VolumeSourceCheck.checkBelow(field);
        String path = field.text();
        if (path.startsWith("..") && !path.startsWith("../") && !path.equals("..")) {
            field.invalid("must not start with '..'");
        }
    }

    private static void mode(Field mode) {
        mode.range(0, ALL_MODES, "must be a number between 0 and 0777 (octal), both inclusive");
    }
}
