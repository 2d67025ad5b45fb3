package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requesting user of a certificate, set from authentication on creation, since approvers and signers rely on it. The spec is immutable
 * afterwards.
 */
public final class CertificateAuthors {
    private static final List<String> FIELDS = List.of("username", "uid", "groups", "extra");

    private CertificateAuthors() {}

    /**
     * Sets the requesting user of a certificate signing request.
     *
     * @param author user; null for the server itself, which has no name
     */
    public static void attribute(ResourceType type, ObjectNode object, @Nullable UserInfo author) {
        if (!type.storage().equals(ResourceCatalog.CERTIFICATE_REQUESTS)) {
            return;
        }
        ObjectNode spec = Json.child(object, "spec");
        spec.remove(FIELDS);
        if (author == null) {
            return;
        }
        spec.put("username", author.name());
        if (!author.uid().isEmpty()) {
            spec.put("uid", author.uid());
        }
        author.groups().forEach(spec.putArray("groups")::add);
        if (!author.extra().isEmpty()) {
            ObjectNode extra = spec.putObject("extra");
            author.extra().forEach((name, values) -> values.forEach(extra.putArray(name)::add));
        }
    }
}
