package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.authentication.oidc.IssuerRules;
import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OidcFlagsTest {
    private static final String ISSUER = "--oidc-issuer-url=https://i.example";
    private static final String CLIENT = "--oidc-client-id=me";

    private static Optional<OidcFlags.Settings> settings(String... arguments) throws UsageException {
        FlagSet set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", "1");
        OidcFlags flags = new OidcFlags(set);
        return switch (set.parse(arguments)) {
            case FlagSet.Request.Run run -> flags.settings(run.values());
            case FlagSet.Request.Print print -> throw new AssertionError(print.text());
        };
    }

    @Test
    void disabledWithoutAnIssuer() throws UsageException {
        assertThat(settings()).isEmpty();
    }

    @Test
    void issuerAndClientIdAreSufficient() throws UsageException {
        OidcFlags.Settings settings = settings(ISSUER, CLIENT).orElseThrow();
        assertThat(settings.rules())
                .isEqualTo(new IssuerRules(
                        "https://i.example",
                        "me",
                        new IssuerRules.Mapping("sub", "https://i.example#"),
                        new IssuerRules.Mapping("", ""),
                        Map.of(),
                        List.of("RS256")));
        assertThat(settings.authorities()).isEmpty();
        assertThat(settings.keys()).isEmpty();
    }

    @Test
    void everyFlagIsParsed() throws UsageException {
        OidcFlags.Settings settings = settings(
                        ISSUER,
                        CLIENT,
                        "--oidc-username-claim=email",
                        "--oidc-groups-claim=roles",
                        "--oidc-groups-prefix=g:",
                        "--oidc-required-claim=a=b",
                        "--oidc-required-claim=c=d=e,f",
                        "--oidc-signing-algs=ES256,RS512",
                        "--oidc-ca-file=ca")
                .orElseThrow();
        assertThat(settings.rules())
                .isEqualTo(new IssuerRules(
                        "https://i.example",
                        "me",
                        new IssuerRules.Mapping("email", ""),
                        new IssuerRules.Mapping("roles", "g:"),
                        Map.of("a", "b", "c", "d=e,f"),
                        List.of("ES256", "RS512")));
        assertThat(settings.authorities()).contains(Path.of("ca"));
        assertThat(settings(ISSUER, CLIENT, "--oidc-jwks-file=k").orElseThrow().keys())
                .contains(Path.of("k"));
    }

    @ParameterizedTest
    @CsvSource({
        "sub,   ,   https://i.example#",
        "sub,   -,  ''",
        "sub,   x:, x:",
        "email, ,   ''",
        "email, x:, x:",
    })
    void userNamePrefixIsThatOfKubeApiserver(String claim, String prefix, String expected) throws UsageException {
        OidcFlags.Settings settings = (prefix == null
                        ? settings(ISSUER, CLIENT, "--oidc-username-claim=" + claim)
                        : settings(
                                ISSUER, CLIENT, "--oidc-username-claim=" + claim, "--oidc-username-prefix=" + prefix))
                .orElseThrow();
        assertThat(settings.rules().username().prefix()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --oidc-issuer-url=http://x            | --oidc-issuer-url: invalid value "http://x", expected an https URL without query
        --oidc-issuer-url=https://x?y         | --oidc-issuer-url: invalid value "https://x?y", expected an https URL without query
        --oidc-issuer-url=https://x           | --oidc-client-id: required with --oidc-issuer-url
        --oidc-client-id=me                   | --oidc-client-id: requires --oidc-issuer-url
        --oidc-ca-file=f                      | --oidc-ca-file: requires --oidc-issuer-url
        --oidc-required-claim=a=b             | --oidc-required-claim: requires --oidc-issuer-url
        --oidc-required-claim=a               | --oidc-required-claim: invalid value "a", expected a claim and its value, as in aud=me
        --oidc-signing-algs=HS256             | --oidc-signing-algs: invalid value "HS256", expected RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512
        --oidc-signing-algs=none              | --oidc-signing-algs: invalid value "none", expected RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512
        """)
    void reportsInvalidFlags(String flag, String problem) {
        assertThatThrownBy(() -> settings(flag.strip()))
                .isInstanceOfSatisfying(
                        UsageException.class, e -> assertThat(e.problems()).contains(problem.strip()));
    }

    @Test
    void contradictoryFlagsAreReported() {
        assertThatThrownBy(() ->
                        settings(ISSUER, CLIENT, "--oidc-groups-prefix=g", "--oidc-jwks-file=k", "--oidc-ca-file=c"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "--oidc-groups-prefix: requires --oidc-groups-claim",
                                        "--oidc-ca-file: cannot be combined with --oidc-jwks-file"));
    }
}
