package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import java.util.Comparator;

/** Default class of new ingresses that name none: the newest class marked as default, the first by name of several equally new. */
final class DefaultIngressClass {
    private static final Comparator<JsonNode> NEWEST = Comparator.comparing(
                    (JsonNode metadata) -> Json.text(metadata, "creationTimestamp"))
            .thenComparing(metadata -> Json.text(metadata, "name"), Comparator.reverseOrder());

    private static final String CHOSEN = "/metadata/annotations/kubernetes.io~1ingress.class";

    private DefaultIngressClass() {}

    static void complete(ObjectNode ingress, Snapshot snapshot) throws StorageException {
        ObjectNode spec = Json.child(ingress, "spec");
        if (spec.has("ingressClassName") || !ingress.at(CHOSEN).isMissingNode()) {
            return;
        }
        snapshot.page(KeyRange.of("ingressclasses.networking.k8s.io"), "", 0).entries().stream()
                .map(entry -> StoredForm.decode(entry.value(), 0).path("metadata"))
                .filter(metadata -> metadata.at("/annotations/ingressclass.kubernetes.io~1is-default-class")
                        .asText()
                        .equals("true"))
                .max(NEWEST)
                .ifPresent(metadata -> spec.put("ingressClassName", Json.text(metadata, "name")));
    }
}
