package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Approval of certificate signing requests: conditions in their status that are changed through their own subresource, as approvers
 * and signers have different permissions. Signers cannot change two of them.
 */
public final class ApprovalRules implements TypeRules.OfPart {
    private static final List<String> FIELDS = List.of("username", "uid", "groups", "extra");
    private static final List<String> DECISIONS = List.of("Approved", "Denied");

    /** Resets everything except metadata and the conditions. */
    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before) {
        if (before != null) {
            JsonNode sent = object.path("status").path("conditions").deepCopy();
            DeclarativeRules.restore(object, before, "");
            put(object, sent);
        }
    }

    @Override
    public String definition() {
        return ResourceCatalog.CERTIFICATE_REQUESTS + "/approval";
    }

    /** Resets the content of the two conditions on a change of the status; validation refuses to add or remove them. */
    static void keep(ResourceType type, ObjectNode object, ObjectNode before) {
        if (type.storage().equals(ResourceCatalog.CERTIFICATE_REQUESTS)) {
            for (String decision : DECISIONS) {
                List<JsonNode> sent = conditions(object, decision);
                List<JsonNode> known = conditions(before, decision);
                for (int i = 0; i < sent.size() && sent.size() == known.size(); i++) {
                    ObjectNode condition = (ObjectNode) sent.get(i);
                    condition.removeAll();
                    condition.setAll((ObjectNode) known.get(i).deepCopy());
                }
            }
        }
    }

    private static List<JsonNode> conditions(JsonNode object, String type) {
        return object.path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> Json.text(condition, "type").equals(type))
                .toList();
    }

    private static void put(ObjectNode object, JsonNode conditions) {
        ObjectNode status = Json.child(object, "status");
        if (conditions.isEmpty()) {
            status.remove("conditions");
        } else {
            status.set("conditions", conditions);
        }
    }

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
