package io.plat.apiserver;

import io.plat.apiserver.authentication.oidc.IssuerRules;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The flags about an OpenID Connect issuer. */
final class OidcFlags {
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
     * What they say.
     *
     * @param rules which tokens are believed
     * @param authorities whom connections to the issuer trust; empty for whom the Java runtime trusts
     * @param keys the issuer's keys; empty where they are fetched from it
     */
    record Settings(IssuerRules rules, Optional<Path> authorities, Optional<Path> keys) {}

    OidcFlags(FlagSet flags) {
        flags.group("Authentication");
        issuer = flags.optional(
                "oidc-issuer-url",
                new FlagType<>("URL", "an https URL without query", OidcFlags::issuer),
                "The OpenID Connect issuer whose identity tokens are believed, as their claim iss has it.");
        clientId = flags.optional(
                "oidc-client-id", FlagType.TEXT.labelled("ID"), "The audience that its tokens have to be for.");
        usernameClaim = flags.value(
                "oidc-username-claim",
                FlagType.TEXT.labelled("CLAIM"),
                "sub",
                "The claim that is the user name; an email address has to be verified.");
        usernamePrefix = flags.optional(
                "oidc-username-prefix",
                FlagType.TEXT.labelled("PREFIX"),
                "What is put in front of user names; ISSUER# unless given or the claim is email, - is nothing.");
        groupsClaim =
                flags.optional("oidc-groups-claim", FlagType.TEXT.labelled("CLAIM"), "The claim that holds groups.");
        groupsPrefix = flags.optional(
                "oidc-groups-prefix", FlagType.TEXT.labelled("PREFIX"), "What is put in front of groups.");
        requiredClaims = flags.repeated(
                "oidc-required-claim",
                new FlagType<>(
                        "CLAIM=VALUE",
                        "a claim and its value, as in aud=me",
                        text -> text.indexOf('=') > 0 ? Optional.of(text) : Optional.empty()),
                "A claim that tokens have to have.");
        algorithms = flags.list(
                "oidc-signing-algs",
                new FlagType<>(
                        "ALGORITHM",
                        "RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512",
                        text -> ALGORITHMS.contains(text) ? Optional.of(text) : Optional.empty()),
                "The algorithms that tokens may be signed by, RS256 unless given.");
        authorities = flags.optional(
                "oidc-ca-file",
                FlagType.PATH,
                "Whom connections to the issuer trust, PEM; the Java runtime's authorities unless given.");
        keys = flags.optional(
                "oidc-jwks-file",
                FlagType.PATH,
                "The issuer's keys as a JSON Web Key Set, for servers that can't reach it; re-read when it changes.");
        flags.check(this::check);
    }

    private static Optional<String> issuer(String text) {
        try {
            URI uri = new URI(text);
            return "https".equals(uri.getScheme())
                            && uri.getHost() != null
                            && uri.getRawQuery() == null
                            && uri.getRawFragment() == null
                            && uri.getRawUserInfo() == null
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    private void check(FlagValues values, FlagProblems problems) {
        boolean named = given(values, issuer);
        if (named && !given(values, clientId)) {
            problems.add(clientId, "missing, expected beside --oidc-issuer-url");
        }
        if (!named) {
            for (Flag<? extends Optional<?>> flag :
                    List.of(clientId, usernamePrefix, groupsClaim, groupsPrefix, authorities, keys)) {
                if (given(values, flag)) {
                    problems.add(flag, "only with --oidc-issuer-url");
                }
            }
            for (Flag<List<String>> flag : List.of(requiredClaims, algorithms)) {
                if (!values.find(flag).orElse(List.of()).isEmpty()) {
                    problems.add(flag, "only with --oidc-issuer-url");
                }
            }
        }
        if (given(values, groupsPrefix) && !given(values, groupsClaim) && named) {
            problems.add(groupsPrefix, "only with --oidc-groups-claim");
        }
        if (given(values, keys) && given(values, authorities)) {
            problems.add(authorities, "without effect beside --oidc-jwks-file, expected one of them");
        }
    }

    private static boolean given(FlagValues values, Flag<? extends Optional<?>> flag) {
        return values.find(flag).map(Optional::isPresent).orElse(false);
    }

    /** What they say; empty where there is no issuer. */
    Optional<Settings> settings(FlagValues values) {
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
