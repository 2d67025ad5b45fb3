package io.plat.apiserver.authentication.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The claims of a token (RFC 7519, section 4).
 *
 * @param tree the object that holds them
 */
public record Claims(JsonNode tree) {
    /** No time is further away than this, in seconds: the year 9999. */
    private static final long LATEST = 253_402_300_799L;

    /** Who issued it, or {@code ""}. */
    public String issuer() {
        return text("iss");
    }

    /** Whom it is about, or {@code ""}. */
    public String subject() {
        return text("sub");
    }

    /** The name of this one token, or {@code ""}. */
    public String id() {
        return text("jti");
    }

    /** For whom it is; empty where it does not say that in a form that the standard knows. */
    public List<String> audiences() {
        return texts("aud").orElse(List.of());
    }

    /** From when on it is no longer valid. */
    public Optional<Instant> expiry() {
        return time("exp");
    }

    /** Before when it is not valid yet. */
    public Optional<Instant> notBefore() {
        return time("nbf");
    }

    /** Whether there is a claim of this name. */
    public boolean has(String name) {
        return tree.has(name);
    }

    /** A claim that is a text, or {@code ""}. */
    public String text(String name) {
        JsonNode value = tree.path(name);
        return value.isTextual() ? value.textValue() : "";
    }

    /** A claim that is a text or a list of texts; empty where it is anything else. */
    public Optional<List<String>> texts(String name) {
        JsonNode value = tree.path(name);
        if (value.isTextual()) {
            return Optional.of(List.of(value.textValue()));
        }
        if (!value.isArray()) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value) {
            if (!item.isTextual()) {
                return Optional.empty();
            }
            texts.add(item.textValue());
        }
        return Optional.of(texts);
    }

    /** A claim that is a time, in seconds since 1970 and perhaps parts of one. */
    private Optional<Instant> time(String name) {
        JsonNode value = tree.path(name);
        return value.isNumber() && value.doubleValue() >= 0 && value.doubleValue() <= LATEST
                ? Optional.of(Instant.ofEpochSecond(value.longValue()))
                : Optional.empty();
    }
}
