package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules of secrets: {@code stringData} is merged into {@code data}, the type is immutable. Messages never contain values. */
final class SecretRules implements TypeRules {
    @Override
    public void prepare(ObjectNode secret, @Nullable ObjectNode before) {
        if (secret.remove("stringData") instanceof ObjectNode texts) {
            for (Map.Entry<String, JsonNode> text : texts.properties()) {
                byte[] value = text.getValue().asText().getBytes(StandardCharsets.UTF_8);
                Json.child(secret, "data")
                        .put(text.getKey(), Base64.getEncoder().encodeToString(value));
            }
        }
        if (Json.text(secret, "type").isEmpty()) {
            secret.put("type", before == null ? "Opaque" : Json.text(before, "type"));
        }
    }

    @Override
    public String definition() {
        return "secrets";
    }
}
