package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Secrets: texts become data, the type stays. No value of one ever goes into a message. */
final class SecretRules implements TypeRules {
    private static final Map<String, List<String>> NEEDED_KEYS = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"));

    @Override
    public NameRule names() {
        return NameRule.SUBDOMAIN;
    }

    @Override
    public Set<String> selectableFields() {
        return Set.of("type");
    }

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
    public void check(ObjectNode secret, @Nullable ObjectNode before, Causes causes) {
        long size = 0;
        for (Map.Entry<String, JsonNode> item : secret.path("data").properties()) {
            ConfigMapRules.checkKey("data", item.getKey(), causes);
            size += item.getValue().asText().length() * 3L / 4;
        }
        if (size > ConfigMapRules.MAX_SIZE) {
            causes.tooLong("data", ConfigMapRules.MAX_SIZE);
        }
        for (String key : NEEDED_KEYS.getOrDefault(Json.text(secret, "type"), List.of())) {
            if (!secret.path("data").has(key)) {
                causes.required("data[" + key + "]", "");
            }
        }
        if (before != null) {
            if (!Json.text(secret, "type").equals(Json.text(before, "type"))) {
                causes.invalid("type", Json.text(secret, "type"), "field is immutable");
            }
            ConfigMapRules.checkImmutable(List.of("data"), secret, before, causes);
        }
    }
}
