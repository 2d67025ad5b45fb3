package io.plat.http.authentication.oidc;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.tls.ClientTls;
import io.plat.tls.files.FileWatch;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags for an OpenID Connect issuer. */
public final class OidcFlags {
    private static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

    private static final String NO_PREFIX = "-";

    private final Flag<Optional<String>> issuer;
    private final Flag<Optional<String>> clientId;
    private final Flag<String> usernameClaim;
    private final Flag<Optional<String>> usernamePrefix;
    private final Flag<Optional<String>> groupsClaim;
    private final Flag<Optional<String>> groupsPrefix;
    private final Flag<List<String>> requiredClaims;
    private final Flag<List<String>> algorithms;
    private final Flag<Optional<Path>> authorities;
    private final Flag<Optional<Path>> keys;

    /**
     * Parsed values of the flags.
     *
     * @param authorities CA bundle for connections to the issuer; empty for the Java runtime's default
     * @param keys key set file; empty if keys are fetched from the issuer
     */
    public record Settings(IssuerRules rules, Optional<Path> authorities, Optional<Path> keys) {}

    public OidcFlags(FlagSet flags) {
        issuer = flags.optional(
                "oidc-issuer-url",
                new FlagType<>(
                        "an https URL without query",
                        text -> ServerConnection.url(text).map(url -> text)));
        clientId = flags.optional("oidc-client-id", FlagType.TEXT);
        usernameClaim = flags.value("oidc-username-claim", FlagType.TEXT);
        usernamePrefix = flags.optional("oidc-username-prefix", FlagType.TEXT);
        groupsClaim = flags.optional("oidc-groups-claim", FlagType.TEXT);
        groupsPrefix = flags.optional("oidc-groups-prefix", FlagType.TEXT);
        requiredClaims = flags.repeated(
                "oidc-required-claim",
                new FlagType<>(
                        "a claim and its value, as in aud=me",
                        text -> text.indexOf('=') > 0 ? Optional.of(text) : Optional.empty()));
        algorithms = flags.list(
                "oidc-signing-algs",
                new FlagType<>(
                        "RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512",
                        text -> ALGORITHMS.contains(text) ? Optional.of(text) : Optional.empty()));
        authorities = flags.optional("oidc-ca-file", FlagType.PATH);
        keys = flags.optional("oidc-jwks-file", FlagType.PATH);
        flags.checkRequires(
                issuer,
                clientId,
                usernamePrefix,
                groupsClaim,
                groupsPrefix,
                authorities,
                keys,
                requiredClaims,
                algorithms);
        flags.check(this::check);
    }

    /**
     * Opens the authenticator of an issuer's tokens. An unreachable issuer is not a start-up problem.
     *
     * @param audiences audiences of the server
     * @return null after reporting a problem
     */
    public static @Nullable OidcTokenAuthenticator open(
            Settings settings, List<String> audiences, OpenResources opened, StartException.Collector problems) {
        InstantSource clock = InstantSource.system();
        try {
            IssuerKeys keys;
            if (settings.keys().isPresent()) {
                keys = opened.with(KeyFile.open(settings.keys().get(), FileWatch.Settings.SELF_CHECKING));
            } else {
                ClientTls tls = opened.with(ClientTls.read(
                        new ClientTls.Config(
                                settings.authorities().map(PemSource::file).orElse(null), null, null, null),
                        clock));
                TlsKeySource source =
                        opened.with(new TlsKeySource(settings.rules().issuer(), tls.context()));
                keys = opened.with(RemoteKeySet.start(source, RemoteKeySet.Intervals.DEFAULT, System::nanoTime));
            }
            return new OidcTokenAuthenticator(settings.rules(), keys, audiences, clock);
        } catch (UnusableKeysException e) {
            problems.add("--oidc-jwks-file", String.valueOf(e.getMessage()));
        } catch (PemException e) {
            problems.add("--oidc-ca-file", String.valueOf(e.getMessage()));
        }
        return null;
    }

    private void check(FlagValues values, FlagProblems problems) {
        boolean named = values.isSet(issuer);
        if (named && !values.isSet(clientId)) {
            problems.add(clientId, "required with --oidc-issuer-url");
        }
        if (values.isSet(groupsPrefix) && !values.isSet(groupsClaim) && named) {
            problems.add(groupsPrefix, "requires --oidc-groups-claim");
        }
        if (values.isSet(keys) && values.isSet(authorities)) {
            problems.add(authorities, "cannot be combined with --oidc-jwks-file");
        }
    }

    /** Returns the flag that names the issuer, without which there is none. */
    public Flag<Optional<String>> issuer() {
        return issuer;
    }

    /** Returns the settings; empty without an issuer. */
    public Optional<Settings> settings(FlagValues values) {
        return values.get(issuer).map(url -> {
            String claim = values.get(usernameClaim);
            String standard = claim.equals("email") ? NO_PREFIX : url + "#";
            String prefix = values.get(usernamePrefix).orElse(standard);
            Map<String, String> required = new LinkedHashMap<>();
            for (String pair : values.get(requiredClaims)) {
                int equals = pair.indexOf('=');
                required.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            IssuerRules rules = new IssuerRules(
                    url,
                    values.get(clientId).orElseThrow(),
                    new IssuerRules.Mapping(claim, prefix.equals(NO_PREFIX) ? "" : prefix),
                    new IssuerRules.Mapping(
                            values.get(groupsClaim).orElse(""),
                            values.get(groupsPrefix).orElse("")),
                    required,
                    values.get(algorithms).isEmpty() ? List.of("RS256") : values.get(algorithms));
            return new Settings(rules, values.get(authorities), values.get(keys));
        });
    }
}
