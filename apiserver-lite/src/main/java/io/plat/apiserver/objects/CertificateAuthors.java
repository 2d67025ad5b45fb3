package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for a certificate is who was authenticated, whatever the request says: approvers and signers go by it. It is written when the
 * request is created, and the specification of one never changes.
 */
public final class CertificateAuthors {
    private static final List<String> FIELDS = List.of("username", "uid", "groups", "extra");

    private CertificateAuthors() {}

    /**
     * Says whose request it is, where it is one for a certificate.
     *
     * @param author null for the server itself, which is nobody
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
        author.groups().forEach(list(spec, "groups")::add);
        if (!author.extra().isEmpty()) {
            ObjectNode extra = spec.putObject("extra");
            author.extra().forEach((name, values) -> values.forEach(list(extra, name)::add));
        }
    }

    private static ArrayNode list(ObjectNode object, String field) {
        return object.putArray(field);
    }
}
