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

/** The flags about tokens of service accounts. Without any the server has a key of its own. */
final class AccountFlags {
    /** The name under which servers of the field are known inside their clusters, as their usual installation has it. */
    static final String STANDARD_ISSUER = "https://kubernetes.default.svc.cluster.local";

    private static final Duration LEAST_EXPIRATION = Duration.ofHours(1);
    private static final Duration MOST_EXPIRATION = Duration.ofSeconds(1L << 32);

    private final Flag<List<Path>> keys;
    private final Flag<Optional<Path>> signingKey;
    private final Flag<List<String>> issuers;
    private final Flag<List<String>> audiences;
    private final Flag<Optional<String>> keysUrl;
    private final Flag<Duration> maxExpiration;

    /**
     * What they say.
     *
     * @param signingKey what tokens are signed with; empty for the server's own key
     * @param keys what else tokens may be signed with
     * @param issuers whose tokens are believed, at least one; the first issues
     * @param audiences what the server calls itself, at least one
     * @param keysUrl where clients are told that the key set is, or {@code ""}
     * @param maxExpiration how long a token is valid at most; 0 for any time
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
        boolean signs = values.find(signingKey).flatMap(given -> given).isPresent();
        if (!signs && !values.find(keys).orElse(List.of()).isEmpty()) {
            problems.add(signingKey, "missing, expected the key that signs beside --service-account-key-file");
        }
        Duration longest = values.find(maxExpiration).orElse(Duration.ZERO);
        if (longest.isPositive()
                && (longest.compareTo(LEAST_EXPIRATION) < 0 || longest.compareTo(MOST_EXPIRATION) > 0)) {
            problems.add(maxExpiration, "out of range, expected 0s or from 1h to 2^32 seconds");
        }
    }

    Settings settings(FlagValues values) {
        List<String> names = values.get(issuers).isEmpty() ? List.of(STANDARD_ISSUER) : values.get(issuers);
        return new Settings(
                values.get(signingKey),
                new ArrayList<>(values.get(keys)),
                names,
                values.get(audiences).isEmpty() ? names : values.get(audiences),
                values.get(keysUrl).orElse(""),
                values.get(maxExpiration));
    }
}
