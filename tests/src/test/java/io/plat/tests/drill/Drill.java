package io.plat.tests.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.drill.Door.Question;
import io.plat.tests.drill.Door.Reply;
import io.plat.tests.drill.Seen.Befallen;
import io.plat.tests.drill.Seen.Finished;
import io.plat.tests.linear.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Clients at work while one thing after the other goes wrong. */
final class Drill {
    private static final int CLIENTS = 4;
    private static final int SETTLING_MILLIS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final Round round;
    private final Plan plan;
    private final Consumer<String> log;
    private final Random random;

    /**
     * Parameters of a drill.
     *
     * @param seed what chance is made from
     * @param faults what goes wrong, one after the other
     * @param quiet how long all is well at the beginning
     * @param enough whether that was long enough; asked until it is, within reason
     * @param longest how long a fault lasts at most; a quarter of a second at least
     */
    record Plan(long seed, List<Fault> faults, Duration quiet, BooleanSupplier enough, Duration longest) {
        Plan {
            faults = List.copyOf(faults);
        }
    }

    /**
     * A drill.
     *
     * @param log is told of each fault
     */
    Drill(Door door, Plan plan, Consumer<String> log) {
        this.round = new Round(door);
        this.plan = plan;
        this.log = log;
        this.random = new Random(plan.seed());
    }

    /** Runs it; returns what the clients saw. The door can be used again. */
    Seen run() throws IOException, InterruptedException, ExecutionException {
        List<Future<?>> asking = new ArrayList<>();
        List<Future<?>> watching = new ArrayList<>();
        List<Watcher> watchers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                long from = Long.parseLong(Maps.version(list(0, "?limit=1")));
                for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                    watchers.add(new Watcher(round, server, false, from));
                    asking.add(threads.submit(new Prober(round, server)));
                    asking.add(threads.submit(new Stranger(round, server)));
                }
                watchers.add(new Watcher(round, 0, true, from));
                watchers.forEach(watcher -> watching.add(threads.submit(watcher)));
                for (int client = 0; client < CLIENTS; client++) {
                    asking.add(threads.submit(new RegisterClient(round, plan.seed() * 1000 + client)));
                }
                befall();
                round.end();
                await(asking);
                Finished finished = finish(watchers);
                return round.notes()
                        .seen(watchers.stream().map(Watcher::watched).toList(), finished);
            } finally {
                round.end();
                round.endWatches();
                threads.shutdownNow();
            }
        }
    }

    private static void await(List<Future<?>> all) throws InterruptedException, ExecutionException {
        for (Future<?> one : all) {
            one.get();
        }
    }

    private void befall() {
        long start = System.nanoTime();
        recovered(new Befallen("the start", start, start));
        round.over((int) plan.quiet().toMillis());
        while (!plan.enough().getAsBoolean() && System.nanoTime() - start < PATIENCE.toNanos()) {
            round.over(SETTLING_MILLIS);
        }
        int number = 0;
        for (Fault fault : plan.faults()) {
            number++;
            round.nextEpoch(number);
            int millis = 250 + random.nextInt((int) plan.longest().toMillis() - 249);
            long begun = System.nanoTime();
            fault.begin().run();
            try {
                round.over(millis);
            } finally {
                fault.end().run();
            }
            var befallen = new Befallen(number + ". " + fault, begun, System.nanoTime());
            log.accept("%3d. %s for %.2f s; all serve %s"
                    .formatted(number, fault, (befallen.ended() - begun) / 1e9, recovered(befallen)));
            round.over(SETTLING_MILLIS);
        }
    }

    /** Waits until all servers serve again, and says after how long. */
    private String recovered(Befallen fault) {
        round.notes().befell(fault);
        while (System.nanoTime() - fault.ended() < PATIENCE.toNanos() && !round.over(5)) {
            long last = 0;
            for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                OptionalLong back = SlowReturns.back(round.notes().servedSince(), fault, server);
                last = Math.max(last, back.orElse(Long.MAX_VALUE));
            }
            if (last < Long.MAX_VALUE) {
                return "%.2f s after its end".formatted(last / 1e9);
            }
        }
        return "not again within " + PATIENCE.toSeconds() + " s";
    }

    /** Nobody writes any more. */
    private Finished finish(List<Watcher> watchers) throws IOException {
        long called = System.nanoTime();
        JsonNode list = list(0, "");
        long returned = System.nanoTime();
        Map<String, Long> states = states(list);
        long version = Long.parseLong(Maps.version(list));
        Map<String, Long> elsewhere = states(list(1, "?resourceVersionMatch=Exact&resourceVersion=" + version));
        if (!states.equals(elsewhere)) {
            throw new AssertionError(
                    "at version " + version + " one server lists " + states + ", the other " + elsewhere);
        }
        Set<String> keys = new TreeSet<>();
        round.notes().operations().forEach(operation -> keys.add(operation.key()));
        for (String key : keys) {
            round.notes()
                    .operation(new Operation(
                            key,
                            new Operation.Action.Read(),
                            new Operation.Result.Found(states.getOrDefault(key, 0L)),
                            called,
                            returned));
        }
        long told = mark();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean all = false;
        while (!all && System.nanoTime() - deadline < 0 && !round.watchedEnough(5)) {
            all = watchers.stream().allMatch(watcher -> watcher.reached() >= told);
        }
        return new Finished(states, version, told);
    }

    private Map<String, Long> states(JsonNode list) {
        Map<String, Long> states = new HashMap<>();
        for (JsonNode item : list.path("items")) {
            if (Maps.name(item).startsWith(round.name())) {
                states.put(Maps.name(item), Maps.state(item));
            }
        }
        return states;
    }

    private JsonNode list(int server, String query) throws IOException {
        return good(new Question(DrilledSystem.WRITER, server, "GET", Maps.PATH + query, null, ANSWER));
    }

    /** A last write, which all watchers have to be told of. */
    private long mark() throws IOException {
        String body = Maps.body(round.name() + "end", round.nextState(), "");
        return Long.parseLong(
                Maps.version(good(new Question(DrilledSystem.WRITER, 0, "POST", Maps.PATH, body, ANSWER))));
    }

    private JsonNode good(Question question) throws IOException {
        Reply reply = round.door().ask(question);
        if (!reply.good()) {
            throw new AssertionError(question + " was answered " + reply);
        }
        return Maps.json(reply.body());
    }
}
