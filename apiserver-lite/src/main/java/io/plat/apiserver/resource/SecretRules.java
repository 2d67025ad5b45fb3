package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets: texts become data, the type stays. No value of one ever goes into a message. */
final class SecretRules implements TypeRules {
    private static final Map<String, List<String>> NEEDED_KEYS = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"));

    private static final String ACCOUNT = "kubernetes.io/service-account.name";
    private static final String CUT_SHORT = "unexpected end of JSON input";

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
        checkContents(secret, causes);
        if (before != null) {
            if (!Json.text(secret, "type").equals(Json.text(before, "type"))) {
                causes.invalid("type", Json.text(secret, "type"), "field is immutable");
            }
            ConfigMapRules.checkImmutable(List.of("data"), secret, before, causes);
        }
    }

    /** A type says what there has to be. */
    private static void checkContents(ObjectNode secret, Causes causes) {
        String type = Json.text(secret, "type");
        JsonNode data = secret.path("data");
        for (String key : NEEDED_KEYS.getOrDefault(type, List.of())) {
            boolean empty =
                    key.equals("ssh-privatekey") && data.path(key).asText().isEmpty();
            if (!data.has(key) || empty) {
                causes.required("data[" + key + "]", "");
            } else if (key.startsWith(".docker")) {
                checkConfiguration("data[" + key + "]", data.path(key).asText(), causes);
            }
        }
        switch (type) {
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    causes.required("data[username]", "");
                    causes.required("data[password]", "");
                }
            }
            case "kubernetes.io/service-account-token" -> {
                if (Json.text(secret.path("metadata").path("annotations"), ACCOUNT)
                        .isEmpty()) {
                    causes.required("metadata.annotations[" + ACCOUNT + "]", "");
                }
            }
            default -> {}
        }
    }

    private static void checkConfiguration(String field, String encoded, Causes causes) {
        String why;
        try {
            JsonNode read = Json.MAPPER.readTree(Base64.getDecoder().decode(encoded));
            why = read.isObject() || read.isNull() ? "" : read.isMissingNode() ? CUT_SHORT : "must be a JSON object";
        } catch (JsonEOFException e) {
            why = CUT_SHORT;
        } catch (IOException | IllegalArgumentException e) {
            // The words of whoever read it could hold what was read.
            why = "must be well-formed JSON";
        }
        if (!why.isEmpty()) {
            causes.invalid(field, "<secret contents redacted>", why);
        }
    }
}
