package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.authentication.FrontProxyAuthenticator.HeaderNames;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrontProxyFlagsTest {
    private static Optional<FrontProxyFlags.Settings> settings(String... arguments) throws UsageException {
        FlagSet set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", "1");
        FrontProxyFlags flags = new FrontProxyFlags(set);
        return switch (set.parse(arguments)) {
            case FlagSet.Request.Run run -> flags.settings(run.values());
            case FlagSet.Request.Print print -> throw new AssertionError(print.text());
        };
    }

    @Test
    void disabledWithoutACertificateAuthority() throws UsageException {
        assertThat(settings()).isEmpty();
    }

    @Test
    void headerNamesHaveDefaults() throws UsageException {
        assertThat(settings("--requestheader-client-ca-file=ca"))
                .contains(new FrontProxyFlags.Settings(
                        Path.of("ca"),
                        List.of(),
                        new HeaderNames(
                                List.of("x-remote-user"),
                                List.of("x-remote-uid"),
                                List.of("x-remote-group"),
                                List.of("x-remote-extra-"))));
    }

    @Test
    void everyFlagIsParsed() throws UsageException {
        assertThat(settings(
                        "--requestheader-client-ca-file=ca",
                        "--requestheader-allowed-names=a,b",
                        "--requestheader-username-headers=U,V",
                        "--requestheader-uid-headers=I",
                        "--requestheader-group-headers=G",
                        "--requestheader-extra-headers-prefix=E-"))
                .contains(new FrontProxyFlags.Settings(
                        Path.of("ca"),
                        List.of("a", "b"),
                        new HeaderNames(List.of("u", "v"), List.of("i"), List.of("g"), List.of("e-"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --requestheader-allowed-names=a        | --requestheader-allowed-names: requires --requestheader-client-ca-file
        --requestheader-username-headers=U     | --requestheader-username-headers: requires --requestheader-client-ca-file
        --requestheader-group-headers=a b      | --requestheader-group-headers: invalid value "a b", expected the name of a header field
        """)
    void reportsInvalidFlags(String flag, String problem) {
        assertThatThrownBy(() -> settings(flag.strip()))
                .isInstanceOfSatisfying(
                        UsageException.class, e -> assertThat(e.problems()).contains(problem.strip()));
    }
}
