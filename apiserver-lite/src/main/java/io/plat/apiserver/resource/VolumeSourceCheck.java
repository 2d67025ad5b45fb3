package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Validation of where a pod's volume is from, and of paths in it, with the messages of kube-apiserver. */
final class VolumeSourceCheck {
    private static final List<String> ALLOWED_METADATA = List.of("labels", "annotations");

    private VolumeSourceCheck() {}

    static void check(Field volume) {
        for (Map.Entry<String, JsonNode> member : volume.value().properties()) {
            Field source = volume.at(member.getKey());
            switch (member.getKey()) {
                case "configMap" -> ProjectionCheck.files(source, "name");
                case "secret" -> ProjectionCheck.files(source, "secretName");
                case "downwardAPI" -> ProjectionCheck.downward(source);
                case "projected" -> ProjectionCheck.projected(source);
                case "hostPath" -> checkUpward(source.at("path"));
                case "emptyDir" -> sizeLimit(source.at("sizeLimit"));
                case "gitRepo" -> checkBelow(source.at("directory"));
                case "image" -> source.at("reference").require("");
                case "ephemeral" -> claim(source.at("volumeClaimTemplate"));
                default -> {}
            }
        }
        NetworkVolumeCheck.check(volume);
    }

    private static void sizeLimit(Field limit) {
        if (QualityOfService.amount(limit.value()).signum() < 0) {
            limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
    }

    private static void claim(Field template) {
        if (template.isMissing()) {
            template.required("");
            return;
        }
        for (Map.Entry<String, JsonNode> said :
                template.value().path("metadata").properties()) {
            if (!ALLOWED_METADATA.contains(said.getKey()) && !said.getValue().isNull()) {
                template.at("metadata").at(said.getKey()).forbidden("cannot be set");
            }
        }
        ClaimCheck.check(template.at("spec"));
    }

    /** Checks a path that has to stay below the one it begins at. */
    static void checkBelow(Field path) {
        if (path.text().startsWith("/")) {
            path.invalid("must be a relative path");
        }
        checkUpward(path);
    }

    /** Checks that a path does not go up. */
    static void checkUpward(Field path) {
        if (goesUp(path.text())) {
            path.invalid("must not contain '..'");
        }
    }

    /** Whether a step of a path is {@code ..}. */
    static boolean goesUp(String path) {
        return path.contains("..") && Arrays.asList(path.split("/", -1)).contains("..");
    }
}
