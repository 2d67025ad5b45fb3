package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Volumes and claims of volumes: they wait for each other, for good, as nothing here binds them. */
final class Volumes {
    private static final String VOLUMES = "persistentvolumes";
    private static final String CLAIMS = "persistentvolumeclaims";

    /** What a volume says besides where its data is; the secrets by which it is reached may change too. */
    private static final List<String> NO_SOURCE = List.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    private Volumes() {}

    static void prepare(String storage, ObjectNode object, @Nullable ObjectNode before) {
        switch (storage) {
            case VOLUMES, CLAIMS -> {
                if (before == null) {
                    Json.child(object, "status").put("phase", "Pending");
                }
            }
            default -> {}
        }
    }

    static void check(String storage, ObjectNode object, ObjectNode before, Causes causes) {
        switch (storage) {
            case VOLUMES -> {
                if (!source(object).equals(source(before))) {
                    causes.forbidden(
                            "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
                }
            }
            case CLAIMS -> checkClaim(object, before, causes);
            default -> {}
        }
    }

    private static ObjectNode source(ObjectNode volume) {
        ObjectNode source = volume.path("spec") instanceof ObjectNode spec ? spec.deepCopy() : Json.object();
        source.remove(NO_SOURCE);
        if (source.path("csi") instanceof ObjectNode csi) {
            csi.remove(List.of("controllerExpandSecretRef", "nodeExpandSecretRef"));
        }
        return source;
    }

    private static void checkClaim(ObjectNode claim, ObjectNode before, Causes causes) {
        JsonNode asked = claim.at("/spec/resources/requests");
        JsonNode askedBefore = before.at("/spec/resources/requests");
        if (asked.equals(askedBefore)) {
            return;
        }
        if (!Json.text(before.path("status"), "phase").equals("Bound")) {
            causes.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        } else if (QualityOfService.amount(asked.path("storage"))
                        .compareTo(QualityOfService.amount(askedBefore.path("storage")))
                < 0) {
            causes.forbidden("spec.resources.requests.storage", "field can not be less than previous value");
        }
    }
}
