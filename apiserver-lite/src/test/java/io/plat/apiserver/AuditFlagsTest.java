package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.audit.AuditSettings;
import io.plat.apiserver.audit.AuditSettings.Mode;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditFlagsTest {
    private final FlagSet set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", "1");
    private final AuditFlags flags = new AuditFlags(set);

    private Optional<AuditSettings> settings(String... arguments) throws UsageException {
        return flags.settings(((FlagSet.Request.Run) set.parse(arguments)).values());
    }

    @Test
    void withoutFlagsNothingIsRecorded() throws UsageException {
        assertThat(settings()).isEmpty();
    }

    @Test
    void logHasTheDefaultsOfKubeApiserver() throws UsageException {
        assertThat(settings("--audit-policy-file=p", "--audit-log-path=l"))
                .contains(new AuditSettings(
                        Path.of("p"),
                        Optional.of(new AuditSettings.Log(
                                new LogFile(Path.of("l"), 100 << 20, 0, Duration.ZERO), Mode.BLOCKING)),
                        Optional.empty()));
    }

    @Test
    void everyFlagIsParsed() throws UsageException {
        assertThat(settings(
                        "--audit-policy-file=p",
                        "--audit-log-path=-",
                        "--audit-log-format=json",
                        "--audit-log-maxsize=3",
                        "--audit-log-maxbackup=4",
                        "--audit-log-maxage=5",
                        "--audit-log-mode=blocking-strict",
                        "--audit-webhook-config-file=w",
                        "--audit-webhook-mode=blocking",
                        "--audit-webhook-batch-max-size=6",
                        "--audit-webhook-batch-max-wait=7s",
                        "--audit-webhook-initial-backoff=8s"))
                .contains(new AuditSettings(
                        Path.of("p"),
                        Optional.of(new AuditSettings.Log(
                                new LogFile(LogFile.STDOUT, 3 << 20, 4, Duration.ofDays(5)), Mode.BLOCKING_STRICT)),
                        Optional.of(new AuditSettings.Webhook(
                                Path.of("w"), Mode.BLOCKING, 6, Duration.ofSeconds(7), Duration.ofSeconds(8)))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --audit-log-path=l                               | --audit-log-path: requires --audit-policy-file
        --audit-webhook-config-file=w                    | --audit-webhook-config-file: requires --audit-policy-file
        --audit-policy-file=p --audit-log-maxage=1       | --audit-log-maxage: requires --audit-log-path
        --audit-policy-file=p --audit-webhook-mode=batch | --audit-webhook-mode: requires --audit-webhook-config-file
        --audit-log-format=legacy                        | --audit-log-format: invalid value "legacy", expected json; the format legacy is not written
        --audit-log-mode=strict                          | --audit-log-mode: invalid value "strict", expected one of batch, blocking, blocking-strict
        """)
    void ineffectiveFlagsAreRefused(String arguments, String problem) {
        assertThatThrownBy(() -> settings(arguments.strip().split(" ", -1)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(problem);
    }
}
