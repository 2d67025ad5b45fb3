package io.plat.http.authentication.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Claims of a token (RFC 7519, section 4).
 *
 * @param tree JSON object that holds them
 */
public record Claims(JsonNode tree) {
    /** Maximum time, in seconds: the year 9999. */
    private static final long LATEST = 253_402_300_799L;

    /** Returns the issuer, or {@code ""}. */
    public String issuer() {
        return text("iss");
    }

    /** Returns the subject, or {@code ""}. */
    public String subject() {
        return text("sub");
    }

    /** Returns the {@code jti}, or {@code ""}. */
    public String id() {
        return text("jti");
    }

    /** Returns the audiences; empty if absent or malformed. */
    public List<String> audiences() {
        return texts("aud").orElse(List.of());
    }

    public Optional<Instant> expiry() {
        return time("exp");
    }

    /** Returns the start of validity. */
    public Optional<Instant> notBefore() {
        return time("nbf");
    }

    public boolean has(String name) {
        return tree.has(name);
    }

    /** Returns a string claim, or {@code ""}. */
    public String text(String name) {
        JsonNode value = tree.path(name);
        return isText(value) ? value.textValue() : "";
    }

    /** Returns a claim that is a string or a list of strings; empty for anything else. */
    public Optional<List<String>> texts(String name) {
        JsonNode value = tree.path(name);
        if (isText(value)) {
            return Optional.of(List.of(value.textValue()));
        }
        if (!value.isArray()) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value) {
            if (!isText(item)) {
                return Optional.empty();
            }
            texts.add(item.textValue());
        }
        return Optional.of(texts);
    }

    /** Text that is not Unicode was read with replacement characters, with which different names would be equal. */
    private static boolean isText(JsonNode value) {
        return value.isTextual() && value.textValue().indexOf('\ufffd') < 0;
    }

    /** Returns a claim that is a time, in seconds since 1970 with an optional fraction. */
    private Optional<Instant> time(String name) {
        JsonNode value = tree.path(name);
        return value.isNumber() && value.doubleValue() >= 0 && value.doubleValue() <= LATEST
                ? Optional.of(Instant.ofEpochSecond(value.longValue()))
                : Optional.empty();
    }
}
