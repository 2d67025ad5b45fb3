package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plat.decider.DecisionLog.DecisionLogSettings;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.FixedGrant;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.engine.policy.PolicySet;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LogFile;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShadowTest {
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("alice", List.of()), new NonResourceAttributes("/x", "get"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static Decision decision(String name) {
        return switch (name) {
            case "allow" -> new Allow(new FixedGrant("RBAC", "here", "everything", "so"));
            case "deny" -> new Deny("never");
            case "none" -> NoOpinion.SILENT;
            default -> new Undecided(Cause.FAILED, "broken");
        };
    }

    private static DecisionRecord decided(Decision decision, int bytes) {
        return new DecisionRecord("1", Instant.EPOCH, "c", REQUEST, decision, "real-1", 1, bytes, new ShadowSlot());
    }

    private Shadow shadow(Authorizer candidate, Shadow.Limits limits) {
        PolicySet policy =
                new PolicySet("candidate-1", candidate, new PolicySet.Size(0, 0, 0), Instant.EPOCH, List.of());
        return new Shadow(() -> policy, null, registry, limits);
    }

    private double count(String result) {
        return registry.get("authorization.shadow.decisions")
                .tag("result", result)
                .counter()
                .count();
    }

    @ParameterizedTest
    @CsvSource({
        "allow, allow, agreed",
        "allow, deny, allow_to_deny",
        "allow, none, allow_to_deny",
        "deny, allow, deny_to_allow",
        "none, allow, deny_to_allow",
        "none, deny, agreed",
        "allow, failed, error",
        "failed, allow, error",
        "failed, failed, error",
        "allow, throws, error",
    })
    void directionsAreCountedSeparately(String real, String candidate, String result) {
        Authorizer authorizer = calls -> {
            if (candidate.equals("throws")) {
                throw new IllegalStateException("a bug");
            }
            return decision(candidate);
        };
        try (Shadow shadow = shadow(authorizer, new Shadow.Limits(10, 1000))) {
            shadow.start();
            shadow.consider(decided(decision(real), 1));
            shadow.consider(decided(decision(real), 1));
            await().until(() -> count(result) == 2);
        }
    }

    @Test
    void aHangingCandidateDelaysNoDecision() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Authorizer candidate = request -> {
            calls.incrementAndGet();
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return decision("deny");
        };
        long begin = System.nanoTime();
        try (Shadow shadow = shadow(candidate, new Shadow.Limits(10, 1000))) {
            shadow.start();
            shadow.consider(decided(decision("allow"), 1));
            await().until(() -> calls.get() == 1);
            for (int i = 0; i < 100_000; i++) {
                shadow.consider(decided(decision("allow"), 1));
            }
            assertThat(count("dropped")).isEqualTo(100_000 - 10);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
            hanging.countDown();
            await().until(() -> count("allow_to_deny") == 11);
        }
    }

    @Test
    void theQueueIsBoundedInBytes() {
        try (Shadow shadow = shadow(request -> decision("allow"), new Shadow.Limits(100, 1000))) {
            for (int i = 0; i < 5; i++) {
                shadow.consider(decided(decision("allow"), 400));
            }
            assertThat(count("dropped")).isEqualTo(3);
            shadow.start();
            await().until(() -> count("agreed") == 2);
            await().until(() -> {
                shadow.consider(decided(decision("allow"), 1000));
                return count("agreed") > 2;
            });
        }
    }

    /** A disagreement is logged, whether the candidate or the log is faster. */
    @Test
    void aDisagreementIsWrittenBeforeAndAfterTheLine(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("decisions.log");
        DecisionLogSettings settings =
                new DecisionLogSettings(new LogFile(file, 1 << 20, 1, Duration.ZERO), true, Set.of());
        PolicySet policy = new PolicySet(
                "candidate-1", request -> decision("deny"), new PolicySet.Size(0, 0, 0), Instant.EPOCH, List.of());
        DecisionLog log = DecisionLog.open(settings, "RBAC", registry, InstantSource.system());
        try (LineLog<DecisionRecord> lines = log.lines();
                Shadow shadow = new Shadow(() -> policy, log, registry)) {
            lines.begin();
            shadow.start();
            DecisionRecord before = decided(decision("allow"), 1);
            shadow.consider(before);
            await().until(() -> count("allow_to_deny") == 1);
            assertThat(before.shadow().offer(new ShadowSlot.Shadowed(decision("deny"), "x")))
                    .isFalse();
            assertThat(lines.record(before)).isTrue();
            assertThat(Files.readAllLines(file)).singleElement().asString().contains("\"shadow\":{\"allowed\":false");
            DecisionRecord after = decided(decision("allow"), 1);
            assertThat(lines.record(after)).isTrue();
            shadow.consider(after);
            await().until(() -> Files.readAllLines(file).size() == 3);
        }
        List<String> written = Files.readAllLines(file);
        assertThat(written.get(1)).doesNotContain("shadow");
        assertThat(written.get(2)).contains("\"allowed\":true", "\"shadow\":{\"allowed\":false", "candidate-1");
    }
}
