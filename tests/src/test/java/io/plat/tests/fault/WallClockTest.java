package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A decider and a delegating server whose wall clock jumps (using libfaketime, if installed): a revocation takes effect regardless, no
 * certificate outside its validity is accepted, and everything recovers once the clock is right.
 */
class WallClockTest {
    private static final String LIBRARY = "libfaketimeMT.so.1";
    private static final String GRANT =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"zoe\",\"nonResourcePath\":\"/version\"}}\n";

    private static TestPki pki;
    private static Path clock;
    private static Path policy;
    private static RunningServer decider;
    private static RunningServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        Path library = library();
        pki = TestPki.create().client("asking").client("zoe");
        clock = Files.writeString(directory.resolve("clock"), "+0");
        policy = Files.writeString(directory.resolve("policy.jsonl"), "");
        String faked = "export FAKETIME_TIMESTAMP_FILE=" + clock
                + " FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0 LD_PRELOAD="
                + library;
        decider = started(
                Program.DECIDER,
                faked,
                "--allowed-client-names=asking",
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy);
        server = started(
                Program.APISERVER_LITE,
                faked,
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file="
                        + ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "asking"),
                "--data-dir=" + directory.resolve("data"),
                "--runtime-config=authorization.plat.io/v1beta1=true");
    }

    private static Path library() throws IOException {
        try (Stream<Path> files = Files.find(
                Path.of("/usr/lib"),
                3,
                (file, any) -> file.getFileName().toString().equals(LIBRARY))) {
            List<Path> entries = files.toList();
            Assumptions.assumeFalse(entries.isEmpty(), "libfaketime is not installed");
            return entries.getFirst();
        }
    }

    private static RunningServer started(Program program, String environment, String... flags) {
        List<String> all = new ArrayList<>(pki.serverFlags());
        all.add("--secure-port=0");
        all.addAll(List.of(flags));
        return RunningServer.start(program.launcherAfter(pki.directory().resolve(program.name()), environment), all);
    }

    @AfterAll
    static void stop() {
        if (pki != null) {
            server.close();
            decider.close();
            pki.close();
        }
    }

    private static ConditionFactory await() {
        return with().pollInterval(Duration.ofMillis(50)).await().atMost(Duration.ofSeconds(30));
    }

    /** Returns the status code of a response, or 0 if there is none. */
    private static int code() {
        try (HttpsClient zoe = HttpsClient.of(pki, "zoe")) {
            return zoe.get(server.at("/version")).statusCode();
        } catch (IOException none) {
            return 0;
        }
    }

    /** Returns whether the server reports the jump, or rejects a certificate that is valid now. */
    private static boolean hasJumped() {
        try (HttpsClient zoe = HttpsClient.of(pki, "zoe")) {
            String date =
                    zoe.get(server.at("/version")).headers().firstValue("Date").orElseThrow();
            Instant its = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
            return Duration.between(its, Instant.now()).abs().toMinutes() > 50;
        } catch (IOException rejected) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+3600", "-3600", "+315360000", "-315360000"})
    void clockJumpDoesNotDelayRevocation(String seconds) throws IOException {
        AtomicFile.put(policy, GRANT);
        await().until(() -> code() == 200);

        AtomicFile.put(clock, seconds);
        await().until(WallClockTest::hasJumped);
        AtomicFile.put(policy, "");
        await().until(() -> code() != 200);
        for (int i = 0; i < 20; i++) {
            assertThat(code()).isNotEqualTo(200);
        }

        AtomicFile.put(policy, GRANT);
        AtomicFile.put(clock, "+0");
        await().until(() -> code() == 200);
        AtomicFile.put(policy, "");
        await().until(() -> code() == 403);
    }
}
