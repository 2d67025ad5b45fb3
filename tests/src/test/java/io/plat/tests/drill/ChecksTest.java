package io.plat.tests.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.drill.Observations.Acknowledged;
import io.plat.tests.drill.Observations.FinalState;
import io.plat.tests.drill.Observations.InjectedFault;
import io.plat.tests.drill.Observations.RecordedDecision;
import io.plat.tests.drill.Observations.ServedRequest;
import io.plat.tests.drill.Observations.WatchedEvent;
import io.plat.tests.drill.Observations.WatcherLog;
import io.plat.tests.linear.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check accepts a correct system and detects a faulty one. */
class ChecksTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static List<String> words(String list) {
        return list == null ? List.of() : Arrays.asList(list.strip().split("\\s+", -1));
    }

    /** {@code +a=1@10} added, {@code ~} modified, {@code -} deleted, {@code !} the watch failed. */
    private static WatchedEvent event(String text) {
        String[] parts = text.substring(1).split("[=@]", -1);
        String type = switch (text.charAt(0)) {
            case '+' -> "ADDED";
            case '~' -> "MODIFIED";
            case '-' -> "DELETED";
            default -> "ERROR";
        };
        return new WatchedEvent(type, parts[0], Long.parseLong(parts[2]), Long.parseLong(parts[1]));
    }

    private static WatcherLog watch(String name, String events) {
        return new WatcherLog(
                name, 9, words(events).stream().map(ChecksTest::event).toList());
    }

    private static Observations observed(
            List<Acknowledged> writes, List<WatcherLog> watches, FinalState finished, List<RecordedDecision> answers) {
        return new Observations(List.of(), writes, watches, finished, answers, List.of(), List.of());
    }

    private static void assertViolation(List<Violation> violations, String expectedText, String name) {
        if (expectedText == null) {
            assertThat(violations).as(name).isEmpty();
        } else {
            assertThat(violations)
                    .as(name)
                    .anySatisfy(violation -> assertThat(violation.text()).contains(expectedText));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            nothing                                   |         |                 |         |
            a write that is stored                    | a=1     | +a=1@10         | a=1     |
            a write followed by another one           | a=1 a=2 | +a=1@10 ~a=2@11 | a=2     |
            a write that was removed                  | a=1 -a=1| +a=1@10 -a=1@11 |         |
            a write that no watcher received          | a=1     |                 |         | a=1 was acknowledged, but no watcher received it, and the final state is absent
            a replacement that did not happen         | a=1 a=2 | +a=1@10         | a=1     | a=2 was acknowledged
            a removal that did not happen             | a=1 -a=1| +a=1@10         | a=1     | the removal of a=1 was acknowledged
            a write that is undone                    | a=1 a=2 | +a=1@10 ~a=2@11 | a=1     | the last event is MODIFIED a=2@11, but the final state is 1
            a write that vanishes                     | a=1     | +a=1@10         |         | the last event is ADDED a=1@10, but the final state is absent
            a deleted object that returns             | a=1 -a=1| +a=1@10 -a=1@11 | a=1     | the last event is DELETED a=1@11
            an event after the list                   | a=1     | +a=1@10 ~a=2@21 | a=1     |
            """)
    void findsLostWrites(String name, String acknowledged, String events, String stored, String violation) {
        List<Acknowledged> writes = new ArrayList<>();
        for (String word : words(acknowledged)) {
            String[] parts = word.replaceFirst("^-", "").split("=", -1);
            writes.add(new Acknowledged(parts[0], Long.parseLong(parts[1]), word.startsWith("-")));
        }
        Map<String, Long> states = new HashMap<>();
        words(stored).forEach(word -> states.put(word.split("=", -1)[0], Long.parseLong(word.split("=", -1)[1])));
        Observations observations =
                observed(writes, List.of(watch("w", events)), new FinalState(states, 20, 30), List.of());
        assertViolation(LostWrites.in(observations), violation, name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            nothing                          |                         |                         |
            the same                         | +a=1@10 ~a=2@11 -a=2@12 | +a=1@10 ~a=2@11 -a=2@12 |
            one of an object that existed    | ~a=2@11                 | ~a=2@11                 |
            one that is not required yet     | +a=1@10                 | +a=1@10 ~a=2@31         |
            one that is missed               | +a=1@10 ~a=2@11         | +a=1@10                 | v did not receive MODIFIED a=2@11
            one in the middle that is missed | +a=1@10 +b=2@11 +c=3@12 | +a=1@10 +c=3@12         | v did not receive ADDED b=2@11
            one that is received twice       | +a=1@10 ~a=2@11         | +a=1@10 ~a=2@11 ~a=2@11 | v received MODIFIED a=2@11 after version 11
            two in the wrong order           | +a=1@10 +b=2@11         | +b=2@11 +a=1@10         | v received ADDED a=1@10 after version 11
            one that differs                 | +a=1@10                 | +a=7@10                 | where another watcher received
            one that is added twice          | +a=1@10 +a=2@11         | +a=1@10 +a=2@11         | which does not follow
            one that is removed twice        | +a=1@10 -a=1@11 -a=1@12 | +a=1@10 -a=1@11 -a=1@12 | which does not follow
            a watch that cannot be resumed   | +a=1@10                 | +a=1@10 !gone=0@10      | could not resume after 10
            """)
    void findsMissedRepeatedAndReorderedEvents(String name, String one, String other, String violation) {
        Observations observations = observed(
                List.of(), List.of(watch("w", one), watch("v", other)), new FinalState(Map.of(), 20, 30), List.of());
        assertViolation(WatchedChanges.in(observations), violation, name);
    }

    @ParameterizedTest
    @CsvSource({
        "false, 403, true",
        "false, 500, true",
        "false, 503, true",
        "false, 429, true",
        "false, 200, false",
        "false, 201, false",
        "false, 404, false",
        "false, 409, false",
        "false, 422, false",
        "true,  200, true",
        "true,  500, true",
        "true,  409, true",
        "true,  403, false",
        "true,  401, false",
    })
    void findsWrongDecisions(boolean allowed, int code, boolean correct) {
        Observations observations = observed(
                List.of(),
                List.of(),
                new FinalState(Map.of(), 1, 1),
                List.of(new RecordedDecision("a GET", allowed, code, 5)));
        assertThat(WrongDecisions.in(observations).isEmpty()).isEqualTo(correct);
    }

    /** Server 0 always responds at once; a fault ends at 10 s. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            at once                               | 10-11        |
            just in time                          | 12-15        |
            too late                              | 12-16        | server 1 did not recover within 5000 ms of the end of "1. f"; it recovered after 6.0 s
            never                                 |              | it never recovered
            a request before the end has no effect| 9-11         | it never recovered
            the first success counts              | 14-17 12-13  |
            """)
    void findsServersThatDoNotRecover(String name, String served, String violation) {
        List<ServedRequest> all = new ArrayList<>(List.of(new ServedRequest(0, seconds("10"), seconds("10"))));
        for (String word : words(served)) {
            String[] times = word.split("-", -1);
            all.add(new ServedRequest(1, seconds(times[0]), seconds(times[1])));
        }
        Observations observations = new Observations(
                List.of(),
                List.of(),
                List.of(),
                new FinalState(Map.of(), 1, 1),
                List.of(),
                all,
                List.of(new InjectedFault("1. f", seconds("8"), seconds("10"))));
        assertViolation(SlowRecoveries.in(observations, LIMIT, 2), violation, name);
    }

    private static long seconds(String text) {
        return Duration.ofSeconds(Long.parseLong(text)).toNanos();
    }

    @ParameterizedTest
    @CsvSource({"7, 0", "0, 1"})
    void checksLinearizability(long read, int violations) {
        var write = new Operation("k", new Operation.Action.Create(7), new Operation.Result.Done(), 1, 2);
        var later = new Operation("k", new Operation.Action.Read(), new Operation.Result.Found(read), 3, 4);
        Observations observations = new Observations(
                List.of(write, later),
                List.of(),
                List.of(),
                new FinalState(Map.of(), 1, 1),
                List.of(),
                List.of(),
                List.of());
        assertThat(Checks.violations(observations, LIMIT)).hasSize(violations);
    }
}
