package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata that a write of the status resets, as in kube-apiserver's strategies. */
final class StatusRulesTest {
    private static final List<String> FIELDS = List.of("labels", "annotations", "finalizers", "ownerReferences");

    @ParameterizedTest
    @CsvSource({
        "apps,                         v1, deployments,                 labels",
        "apps,                         v1, statefulsets,                ''",
        "'',                           v1, pods,                        ownerReferences",
        "'',                           v1, nodes,                       ''",
        "'',                           v1, services,                    ''",
        "certificates.k8s.io,          v1, certificatesigningrequests,  ''",
        "apiregistration.k8s.io,       v1, apiservices,                 labels annotations finalizers ownerReferences",
        "admissionregistration.k8s.io, v1, validatingadmissionpolicies, labels annotations finalizers ownerReferences",
        "flowcontrol.apiserver.k8s.io, v1, flowschemas,                 labels annotations finalizers ownerReferences",
        "flowcontrol.apiserver.k8s.io, v1, prioritylevelconfigurations, labels annotations finalizers ownerReferences",
        "resource.k8s.io,              v1, resourceclaims,              labels annotations finalizers ownerReferences",
        "storage.k8s.io,               v1, volumeattachments,           labels annotations finalizers ownerReferences",
    })
    void metadataIsReset(String group, String version, String resource, String kept) {
        ResourceType type =
                ResourceCatalog.builtIn().find(group, version, resource).orElseThrow();
        ObjectNode before = object("old");
        ObjectNode sent = object("new");
        Json.child(before, "metadata").remove("annotations");
        TypeRules.of(type, type.subresource("status").orElseThrow()).prepare(sent, before);
        for (String field : FIELDS) {
            ObjectNode expected = List.of(kept.split(" ")).contains(field) ? before : object("new");
            assertThat(sent.path("metadata").path(field))
                    .as(field)
                    .isEqualTo(expected.path("metadata").path(field));
        }
        assertThat(sent.at("/status/a").asText()).isEqualTo("new");
        assertThat(sent.at("/spec/a").asText()).isEqualTo("old");
    }

    private static ObjectNode object(String value) {
        ObjectNode object = Json.object();
        FIELDS.forEach(field -> Json.child(object, "metadata").put(field, value));
        Json.child(object, "spec").put("a", value);
        Json.child(object, "status").put("a", value);
        return object;
    }
}
