package io.plat.tests.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.linear.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each part of a whole system is killed, paused and disconnected in turn: 200 times in the full run, a few times otherwise ({@code
 * -Dplat.faults}; {@code -Dplat.seed} repeats the choices of a run).
 */
class FaultDrillTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int FAULTS = Integer.getInteger("plat.faults", FULL ? 200 : 5);
    private static final long SEED = Long.getLong("plat.seed", FULL ? System.nanoTime() : 5);
    private static final Duration MAX_DURATION = Duration.ofMillis(FULL ? 3000 : 800);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static DrilledSystem system;
    private static HttpAccess access;

    @BeforeAll
    static void start() {
        system = DrilledSystem.start();
        access = new HttpAccess(system);
    }

    @AfterAll
    static void stop() {
        if (access != null) {
            access.close();
            system.close();
        }
    }

    @Test
    void noConsistencyViolationsUnderFaults() throws Exception {
        print("fault drill: -Dplat.seed=" + SEED + ", " + FAULTS + " faults");
        Observations observations = new Drill(
                        access,
                        new Drill.Plan(SEED, schedule(new Random(SEED)), Duration.ZERO, () -> true, MAX_DURATION),
                        FaultDrillTest::print)
                .run();
        List<Violation> violations = Checks.violations(observations, LIMIT);
        print(summary(observations) + ", " + violations.size() + " violations");
        assertThat(violations).as("seed %d", SEED).isEmpty();
        assertThat(observations.faults()).hasSize(FAULTS + 1);
        assertThat(observations.acknowledged()).hasSizeGreaterThan(FAULTS * 10);
    }

    /** The system itself is correct, so only the misbehaviour breaks a guarantee. */
    @ParameterizedTest
    @EnumSource(FaultyAccess.Misbehaviour.class)
    void plantedFaultIsDetected(FaultyAccess.Misbehaviour misbehaviour) throws Exception {
        boolean slow = misbehaviour == FaultyAccess.Misbehaviour.SLOW_RECOVERY;
        FaultyAccess faulty = new FaultyAccess(access, misbehaviour);
        var plan =
                new Drill.Plan(SEED, List.of(), Duration.ofMillis(slow ? 0 : 800), faulty::hasMisbehaved, MAX_DURATION);
        Observations observations = new Drill(faulty, plan, FaultDrillTest::print).run();
        assertThat(Checks.violations(observations, slow ? Duration.ofSeconds(1) : LIMIT))
                .extracting(Violation::kind)
                .contains(misbehaviour.breaks);
    }

    /** Returns faults of alternating parts; each part has all of its faults in random order. */
    private static List<Fault> schedule(Random random) {
        List<Fault> schedule = new ArrayList<>();
        while (schedule.size() < FAULTS) {
            Map<String, List<Fault>> parts = new LinkedHashMap<>();
            List<Fault> all = new ArrayList<>(system.faults());
            Collections.shuffle(all, random);
            all.forEach(fault -> parts.computeIfAbsent(fault.part(), part -> new ArrayList<>())
                    .add(fault));
            while (!parts.isEmpty()) {
                parts.values().forEach(part -> schedule.add(part.removeLast()));
                parts.values().removeIf(List::isEmpty);
            }
        }
        return schedule.subList(0, FAULTS);
    }

    private static String summary(Observations observations) {
        long unknown = observations.operations().stream()
                .filter(operation -> operation.result() instanceof Operation.Result.Unknown)
                .count();
        long denied = observations.answers().stream()
                .filter(answer -> !answer.allowed())
                .count();
        long forbidden = observations.answers().stream()
                .filter(answer -> answer.code() == 403)
                .count();
        int events = observations.watches().stream()
                .mapToInt(watch -> watch.events().size())
                .sum();
        long slowest = 0;
        for (Observations.InjectedFault fault : observations.faults()) {
            for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                slowest = Math.max(
                        slowest,
                        SlowRecoveries.recovery(observations.served(), fault, server)
                                .orElse(Long.MAX_VALUE));
            }
        }
        return "%d faults: %d operations, %d of them without a response; %d writes acknowledged; %d events received; %d forbidden requests, %d of them answered 403; slowest recovery %.2f s"
                .formatted(
                        observations.faults().size() - 1,
                        observations.operations().size(),
                        unknown,
                        observations.acknowledged().size(),
                        events,
                        denied,
                        forbidden,
                        slowest / 1e9);
    }

    private static void print(String line) {
        Consumer<String> out = System.out::println;
        out.accept(line);
    }
}
