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
    private static final Duration LONGEST = Duration.ofMillis(FULL ? 3000 : 800);
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
        say("fault drill: -Dplat.seed=" + SEED + ", " + FAULTS + " faults");
        Observations observations = new Drill(
                        access,
                        new Drill.Plan(SEED, schedule(new Random(SEED)), Duration.ZERO, () -> true, LONGEST),
                        FaultDrillTest::say)
                .run();
        List<Violation> violations = Checks.violations(observations, LIMIT);
        say(summary(observations) + ", " + violations.size() + " violations");
        assertThat(violations).as("seed %d", SEED).isEmpty();
        assertThat(observations.faults()).hasSize(FAULTS + 1);
        assertThat(observations.acknowledged()).hasSizeGreaterThan(FAULTS * 10);
    }

    /** On the same system, so that only the misbehaviour breaks a guarantee. */
    @ParameterizedTest
    @EnumSource(FaultyAccess.Misbehaviour.class)
    void plantedFaultIsDetected(FaultyAccess.Misbehaviour misbehaviour) throws Exception {
        boolean slow = misbehaviour == FaultyAccess.Misbehaviour.SLOW_RETURN;
        FaultyAccess lying = new FaultyAccess(access, misbehaviour);
        var plan = new Drill.Plan(SEED, List.of(), Duration.ofMillis(slow ? 0 : 800), lying::hasMisbehaved, LONGEST);
        Observations observations = new Drill(lying, plan, FaultDrillTest::say).run();
        assertThat(Checks.violations(observations, slow ? Duration.ofSeconds(1) : LIMIT))
                .extracting(Violation::kind)
                .contains(misbehaviour.breaks);
    }

    /** The parts alternate, and each has all of its faults in random order. */
    private static List<Fault> schedule(Random random) {
        List<Fault> chosen = new ArrayList<>();
        while (chosen.size() < FAULTS) {
            Map<String, List<Fault>> parts = new LinkedHashMap<>();
            List<Fault> all = new ArrayList<>(system.faults());
            Collections.shuffle(all, random);
            all.forEach(fault -> parts.computeIfAbsent(fault.part(), part -> new ArrayList<>())
                    .add(fault));
            while (!parts.isEmpty()) {
                parts.values().forEach(part -> chosen.add(part.removeLast()));
                parts.values().removeIf(List::isEmpty);
            }
        }
        return chosen.subList(0, FAULTS);
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
                        SlowRecoveries.back(observations.served(), fault, server)
                                .orElse(Long.MAX_VALUE));
            }
        }
        return "%d faults: %d operations, %d of them without an answer; %d writes acknowledged; %d changes told; %d requests that are not allowed, %d of them forbidden; slowest return %.2f s"
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

    private static void say(String line) {
        Consumer<String> out = System.out::println;
        out.accept(line);
    }
}
