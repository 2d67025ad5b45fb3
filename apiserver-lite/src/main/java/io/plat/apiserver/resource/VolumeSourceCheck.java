package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What is wrong with where a pod's volume is from, and with paths in it: in the words of existing servers. */
final class VolumeSourceCheck {
    private static final List<String> SAID = List.of("labels", "annotations");

    private VolumeSourceCheck() {}

    /** Checks a volume that stands at a path. */
    static void check(String path, JsonNode volume, Causes causes) {
        var files = new ProjectionCheck(causes);
        for (Map.Entry<String, JsonNode> member : volume.properties()) {
            JsonNode source = member.getValue();
            switch (member.getKey()) {
                case "configMap" -> files.files(path + ".configMap", source, "name");
                case "secret" -> files.files(path + ".secret", source, "secretName");
                case "downwardAPI" -> files.downward(path + ".downwardAPI", source);
                case "projected" -> files.projected(path + ".projected", source);
                case "hostPath" -> checkUpward(path + ".hostPath.path", Json.text(source, "path"), causes);
                case "emptyDir" -> {
                    if (QualityOfService.amount(source.path("sizeLimit")).signum() < 0) {
                        causes.forbidden(
                                path + ".emptyDir.sizeLimit", "SizeLimit field must be a valid resource quantity");
                    }
                }
                case "gitRepo" -> checkBelow(path + ".gitRepo.directory", Json.text(source, "directory"), causes);
                case "image" -> {
                    if (Json.text(source, "reference").isEmpty()) {
                        causes.required(path + ".image.reference", "");
                    }
                }
                case "ephemeral" -> claim(path + ".ephemeral.volumeClaimTemplate", source, causes);
                default -> {}
            }
        }
        NetworkVolumeCheck.check(path, volume, causes);
    }

    private static void claim(String field, JsonNode source, Causes causes) {
        if (!source.has("volumeClaimTemplate")) {
            causes.required(field, "");
            return;
        }
        JsonNode template = source.path("volumeClaimTemplate");
        for (Map.Entry<String, JsonNode> said : template.path("metadata").properties()) {
            if (!SAID.contains(said.getKey()) && !said.getValue().isNull()) {
                causes.forbidden(field + ".metadata." + said.getKey(), "cannot be set");
            }
        }
        ClaimCheck.check(field + ".spec", template.path("spec"), causes);
    }

    /** Says what is wrong with a path that has to stay below the one it begins at. */
    static void checkBelow(String field, String path, Causes causes) {
        if (path.startsWith("/")) {
            causes.invalid(field, path, "must be a relative path");
        }
        checkUpward(field, path, causes);
    }

    /** Says so of a path that goes up. */
    static void checkUpward(String field, String path, Causes causes) {
        if (goesUp(path)) {
            causes.invalid(field, path, "must not contain '..'");
        }
    }

    /** Whether a step of a path is {@code ..}. */
    static boolean goesUp(String path) {
        return path.contains("..") && Arrays.asList(path.split("/", -1)).contains("..");
    }
}
