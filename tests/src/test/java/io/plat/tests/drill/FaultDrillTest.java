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
 * Each part of a whole system is killed, paused and cut off in turn: 200 times in the full run, a few times otherwise
 * ({@code -Dplat.faults} says how often, {@code -Dplat.seed} repeats a run's choices).
 */
class FaultDrillTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int FAULTS = Integer.getInteger("plat.faults", FULL ? 200 : 5);
    private static final long SEED = Long.getLong("plat.seed", FULL ? System.nanoTime() : 5);
    private static final Duration LONGEST = Duration.ofMillis(FULL ? 3000 : 800);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static DrilledSystem system;
    private static HttpDoor door;

    @BeforeAll
    static void start() {
        system = DrilledSystem.start();
        door = new HttpDoor(system);
    }

    @AfterAll
    static void stop() {
        if (door != null) {
            door.close();
            system.close();
        }
    }

    @Test
    void clientsSeeNothingThatASoundSystemWouldNotShow() throws Exception {
        say("fault drill: -Dplat.seed=" + SEED + ", " + FAULTS + " faults");
        Seen seen = new Drill(
                        door,
                        new Drill.Plan(SEED, schedule(new Random(SEED)), Duration.ZERO, () -> true, LONGEST),
                        FaultDrillTest::say)
                .run();
        List<Violation> violations = Checks.violations(seen, LIMIT);
        say(summary(seen) + ", " + violations.size() + " violations");
        assertThat(violations).as("seed %d", SEED).isEmpty();
        assertThat(seen.faults()).hasSize(FAULTS + 1);
        assertThat(seen.acknowledged()).hasSizeGreaterThan(FAULTS * 10);
    }

    /** On the same system, so that a promise is broken by the lie alone. */
    @ParameterizedTest
    @EnumSource(LyingDoor.Lie.class)
    void aPlantedFaultIsCaught(LyingDoor.Lie lie) throws Exception {
        boolean slow = lie == LyingDoor.Lie.SLOW_RETURN;
        LyingDoor lying = new LyingDoor(door, lie);
        var plan = new Drill.Plan(SEED, List.of(), Duration.ofMillis(slow ? 0 : 800), lying::hasLied, LONGEST);
        Seen seen = new Drill(lying, plan, FaultDrillTest::say).run();
        assertThat(Checks.violations(seen, slow ? Duration.ofSeconds(1) : LIMIT))
                .extracting(Violation::kind)
                .contains(lie.breaks);
    }

    /** The parts take turns, and each goes through everything that can befall it, in an order of chance. */
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

    private static String summary(Seen seen) {
        long unknown = seen.operations().stream()
                .filter(operation -> operation.result() instanceof Operation.Result.Unknown)
                .count();
        long denied =
                seen.answers().stream().filter(answer -> !answer.allowed()).count();
        long forbidden =
                seen.answers().stream().filter(answer -> answer.code() == 403).count();
        int told =
                seen.watches().stream().mapToInt(watch -> watch.told().size()).sum();
        long slowest = 0;
        for (Seen.Befallen fault : seen.faults()) {
            for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                slowest = Math.max(
                        slowest, SlowReturns.back(seen.served(), fault, server).orElse(Long.MAX_VALUE));
            }
        }
        return "%d faults: %d operations, %d of them without an answer; %d writes acknowledged; %d changes told; %d requests that are not allowed, %d of them forbidden; slowest return %.2f s"
                .formatted(
                        seen.faults().size() - 1,
                        seen.operations().size(),
                        unknown,
                        seen.acknowledged().size(),
                        told,
                        denied,
                        forbidden,
                        slowest / 1e9);
    }

    private static void say(String line) {
        Consumer<String> out = System.out::println;
        out.accept(line);
    }
}
