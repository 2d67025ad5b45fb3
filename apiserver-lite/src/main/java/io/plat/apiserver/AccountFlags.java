package io.plat.apiserver;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Flags for service account tokens. Without any, the server generates its own signing key. */
final class AccountFlags {
    /** Issuer of kube-apiserver in a typical installation, as known inside its cluster. */
    static final String DEFAULT_ISSUER = "https://kubernetes.default.svc.cluster.local";

    private static final Duration MIN_EXPIRATION = Duration.ofHours(1);
    private static final Duration MAX_EXPIRATION = Duration.ofSeconds(1L << 32);

    private final Flag<List<Path>> keys;
    private final Flag<Optional<Path>> signingKey;
    private final Flag<List<String>> issuers;
    private final Flag<List<String>> audiences;
    private final Flag<Optional<String>> keysUrl;
    private final Flag<Duration> maxExpiration;

    /**
     * Parsed values of the flags.
     *
     * @param signingKey key that signs tokens; empty for the server's own key
     * @param keys additional keys accepted in token signatures
     * @param issuers accepted issuers, at least one; the first one is the issuer of new tokens
     * @param audiences audiences of this server, at least one
     * @param keysUrl URL of the key set that is advertised to clients, or {@code ""}
     * @param maxExpiration maximum lifetime of a token; 0 for no limit
     */
    record Settings(
            Optional<Path> signingKey,
            List<Path> keys,
            List<String> issuers,
            List<String> audiences,
            String keysUrl,
            Duration maxExpiration) {}

    AccountFlags(FlagSet flags) {
        keys = flags.repeated("service-account-key-file", FlagType.PATH);
        signingKey = flags.optional("service-account-signing-key-file", FlagType.PATH);
        issuers = flags.repeated(
                "service-account-issuer",
                new FlagType<>("a name without a colon, or an https URL", AccountFlags::issuer));
        audiences = flags.list("api-audiences", FlagType.TEXT);
        keysUrl = flags.optional(
                "service-account-jwks-uri",
                new FlagType<>("an https URL", text -> issuer(text).filter(url -> url.startsWith("https:"))));
        maxExpiration = flags.value("service-account-max-token-expiration", FlagType.DURATION);
        flags.check(this::check);
    }

    private static Optional<String> issuer(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            return text.indexOf(':') < 0 || "https".equals(new URI(text).getScheme())
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    private void check(FlagValues values, FlagProblems problems) {
        boolean signs = values.findOptional(signingKey).isPresent();
        if (!signs && !values.find(keys).orElse(List.of()).isEmpty()) {
            problems.add(signingKey, "required with --service-account-key-file");
        }
        Duration max = values.find(maxExpiration).orElse(Duration.ZERO);
        if (max.isPositive() && (max.compareTo(MIN_EXPIRATION) < 0 || max.compareTo(MAX_EXPIRATION) > 0)) {
            problems.add(maxExpiration, "out of range, expected 0s or from 1h to 2^32 seconds");
        }
    }

    Settings settings(FlagValues values) {
        List<String> names = values.get(issuers).isEmpty() ? List.of(DEFAULT_ISSUER) : values.get(issuers);
        return new Settings(
                values.get(signingKey),
                new ArrayList<>(values.get(keys)),
                names,
                values.get(audiences).isEmpty() ? names : values.get(audiences),
                values.get(keysUrl).orElse(""),
                values.get(maxExpiration));
    }
}
