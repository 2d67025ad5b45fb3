package io.plat.http.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.source.NearestName;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagSetTest {
    private static final String HELP = """
        Usage: sample [flags]

        Shows what flags look like.

        Serving:
          --bind-address=ADDRESS
              The local address to listen on. (default 127.0.0.1)
          --secure-port=PORT
              The port to listen on; 0 picks one. (default 8443)
          --cert-file=FILE
              The certificate. Required.

        Deciding:
          --policy-file=FILE
              The policy.
          --mode=MODE,...
              How to decide, in a sentence that is long enough to be broken into two lines, as real ones
              are.
          --directory=PATH
              A directory. May be given several times.
          --open
              Whether it is open. (default true)
          --ttl=DURATION
              How long. (default 5m)
          --reload=watch|restart
              What happens. (default watch)

        Other:
          --help
              Print this text and exit.
          --version
              Print the version and exit.

        """;

    private final FlagSet flags = new FlagSet(HELP, "1.2.3");
    private final Flag<InetAddress> address;
    private final Flag<Integer> port;
    private final Flag<Path> file;
    private final Flag<Optional<Path>> other;
    private final Flag<List<String>> modes;
    private final Flag<List<Path>> directories;
    private final Flag<Boolean> open;
    private final Flag<Duration> ttl;
    private final Flag<String> reload;

    FlagSetTest() {
        address = flags.value("bind-address", FlagType.ADDRESS);
        port = flags.value("secure-port", FlagType.PORT);
        file = flags.required("cert-file", FlagType.PATH);
        other = flags.optional("policy-file", FlagType.PATH);
        modes = flags.list("mode", FlagType.word(List.of("ABAC", "RBAC")));
        directories = flags.repeated("directory", FlagType.PATH);
        open = flags.toggle("open");
        ttl = flags.value("ttl", FlagType.DURATION);
        reload = flags.value("reload", FlagType.word(List.of("watch", "restart")));
        flags.check((values, problems) -> {
            boolean abac = values.find(modes).orElse(List.of()).contains("ABAC");
            if (values.isSet(other) && !abac) {
                problems.add(other, "has no effect, expected --mode with ABAC");
            }
        });
    }

    private FlagValues values(String... arguments) throws UsageException {
        return flags.parse(arguments) instanceof FlagSet.Request.Run run ? run.values() : fail();
    }

    private static FlagValues fail() {
        throw new AssertionError("must not run");
    }

    @Test
    void everyFlagHasItsStandardValue() throws UsageException {
        FlagValues values = values("--cert-file", "a");
        assertThat(values.get(address).getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(values.get(port)).isEqualTo(8443);
        assertThat(values.get(file)).isEqualTo(Path.of("a"));
        assertThat(values.get(other)).isEmpty();
        assertThat(values.get(modes)).isEmpty();
        assertThat(values.get(directories)).isEmpty();
        assertThat(values.get(open)).isTrue();
        assertThat(values.get(ttl)).isEqualTo(Duration.ofMinutes(5));
        assertThat(values.get(reload)).isEqualTo("watch");
        assertThat(values.isSet(port)).isFalse();
        assertThat(values.isSet(file)).isTrue();
    }

    @Test
    void valuesFollowAnEqualsSignOrASpace() throws UsageException {
        FlagValues values = values(
                "--cert-file=a=b",
                "--secure-port",
                "0",
                "--mode=ABAC,RBAC",
                "--mode",
                "ABAC",
                "--directory=x,y",
                "--directory",
                "@z",
                "--policy-file",
                "\"p\"",
                "--ttl=0s",
                "--open=false");
        assertThat(values.get(file)).isEqualTo(Path.of("a=b"));
        assertThat(values.get(port)).isZero();
        assertThat(values.get(modes)).containsExactly("ABAC", "RBAC", "ABAC");
        assertThat(values.get(directories)).containsExactly(Path.of("x,y"), Path.of("@z"));
        assertThat(values.get(other)).contains(Path.of("\"p\""));
        assertThat(values.get(ttl)).isZero();
        assertThat(values.get(open)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "--open, true",
        "--open=true, true",
        "--open=T, true",
        "--open=1, true",
        "--open=false, false",
        "--open=0, false"
    })
    void togglesNeedNoValue(String argument, boolean expected) throws UsageException {
        assertThat(values("--cert-file=a", argument).get(open)).isEqualTo(expected);
    }

    @Test
    void theLastOfSeveralValuesCounts() throws UsageException {
        assertThat(values("--cert-file=a", "--secure-port=1", "--secure-port=2", "--cert-file=b")
                        .get(port))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--secure-port=70000 | --secure-port: invalid value \"70000\", expected a number from 0 to 65535",
                "--secure-port=x | --secure-port: invalid value \"x\", expected a number from 0 to 65535",
                "--secure-port= | --secure-port: invalid value \"\", expected a number from 0 to 65535",
                "--secure-port | --secure-port: has no value, expected a number from 0 to 65535",
                "--bind-address=1.2.3 .4 | --bind-address: invalid value \"1.2.3 .4\", expected an IP address or a host name that resolves",
                "--cert-file= | --cert-file: invalid value \"\", expected a file",
                "--mode=ABAC,,RBAC | --mode: invalid value \"\", expected one of ABAC, RBAC",
                "--mode=abac | --mode: invalid value \"abac\", expected one of ABAC, RBAC",
                "--open=maybe | --open: invalid value \"maybe\", expected true or false",
                "--ttl=5 | --ttl: invalid value \"5\", expected a duration such as 5m, 30s or 0s",
                "--reload=no | --reload: invalid value \"no\", expected one of watch, restart",
                "--secure-prot=1 | --secure-prot: unknown flag, did you mean --secure-port?",
                "--verison | --verison: unknown flag, did you mean --version?",
                "-cert-file=x | -cert-file: unknown flag, did you mean --cert-file?",
                "--candidate | --candidate: unknown flag, see --help",
                "--Cert-File=x | --Cert-File: unknown flag, did you mean --cert-file?",
                "--help=x | --help: invalid value \"x\", expected none",
                "--version=maybe | --version: invalid value \"maybe\", expected none",
                "word | \"word\": unexpected argument, expected flags only",
                "--policy-file=p | --policy-file: has no effect, expected --mode with ABAC",
            })
    void problemsAreOneLine(String argument, String problem) {
        assertThatThrownBy(() -> values("--cert-file=a", argument))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        wrong -> assertThat(wrong.problems()).containsExactly(problem));
    }

    @Test
    void allProblemsAreReported() {
        assertThatThrownBy(() -> values(
                        "--secure-prot=1", "word", "--ttl=x", "--policy-file=p", "--mode", "--open=2", "--secure-port"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        wrong -> assertThat(wrong.problems())
                                .containsExactlyInAnyOrder(
                                        "--secure-prot: unknown flag, did you mean --secure-port?",
                                        "\"word\": unexpected argument, expected flags only",
                                        "--ttl: invalid value \"x\", expected a duration such as 5m, 30s or 0s",
                                        "--open: invalid value \"2\", expected true or false",
                                        "--mode: has no value, expected one of ABAC, RBAC",
                                        "--secure-port: has no value, expected a number from 0 to 65535",
                                        "--cert-file: required, expected a file",
                                        "--policy-file: has no effect, expected --mode with ABAC"));
    }

    @Test
    void helpListsEveryFlagUnderItsHeading() throws UsageException {
        assertThat(flags.parse("--secure-port=x", "--help")).isEqualTo(new FlagSet.Request.Print(HELP));
    }

    @Test
    void aFlagMustBeInTheHelp() {
        assertThatThrownBy(() -> flags.toggle("other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--other");
    }

    @Test
    void versionIsOneLine() throws UsageException {
        assertThat(flags.parse("--version")).isEqualTo(new FlagSet.Request.Print("sample 1.2.3\n"));
    }

    @Test
    void aFlagIsDeclaredOnce() {
        assertThatThrownBy(() -> flags.toggle("open")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "abc, abc, 0",
        "abc, acb, 1",
        "abc, ab, 1",
        "abc, abcd, 1",
        "abc, xyz, 3",
        "'', abc, 3",
        "secure-prot, secure-port, 1"
    })
    void distanceCountsEdits(String one, String other, int distance) {
        assertThat(NearestName.distance(one, other)).isEqualTo(distance);
        assertThat(NearestName.distance(other, one)).isEqualTo(distance);
    }
}
