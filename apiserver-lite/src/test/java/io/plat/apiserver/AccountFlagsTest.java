package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.commandline.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AccountFlagsTest {
    private static AccountFlags.Settings settings(String... arguments) throws UsageException {
        FlagSet set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", "1");
        AccountFlags flags = new AccountFlags(set);
        FlagValues values = switch (set.parse(arguments)) {
            case FlagSet.Request.Run run -> run.values();
            case FlagSet.Request.Print print -> throw new AssertionError(print.text());
        };
        return flags.settings(values);
    }

    @Test
    void defaultsToTheKubernetesIssuer() throws UsageException {
        AccountFlags.Settings settings = settings();
        assertThat(settings.signingKey()).isEmpty();
        assertThat(settings.keys()).isEmpty();
        assertThat(settings.issuers()).containsExactly("https://kubernetes.default.svc.cluster.local");
        assertThat(settings.audiences()).isEqualTo(settings.issuers());
        assertThat(settings.keysUrl()).isEmpty();
        assertThat(settings.maxExpiration()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void everyFlagIsParsed() throws UsageException {
        AccountFlags.Settings settings = settings(
                "--service-account-signing-key-file=s",
                "--service-account-key-file=a",
                "--service-account-key-file=b",
                "--service-account-issuer=https://new.example",
                "--service-account-issuer=old",
                "--api-audiences=x,y",
                "--service-account-jwks-uri=https://keys.example/k",
                "--service-account-max-token-expiration=2h");
        assertThat(settings.signingKey()).contains(Path.of("s"));
        assertThat(settings.keys()).containsExactly(Path.of("a"), Path.of("b"));
        assertThat(settings.issuers()).containsExactly("https://new.example", "old");
        assertThat(settings.audiences()).containsExactly("x", "y");
        assertThat(settings.keysUrl()).isEqualTo("https://keys.example/k");
        assertThat(settings.maxExpiration()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void audiencesDefaultToTheIssuers() throws UsageException {
        assertThat(settings("--service-account-issuer=a", "--service-account-issuer=b")
                        .audiences())
                .containsExactly("a", "b");
    }
}
