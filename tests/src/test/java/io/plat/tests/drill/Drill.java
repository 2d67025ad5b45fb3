package io.plat.tests.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.drill.Observations.FinalState;
import io.plat.tests.drill.Observations.InjectedFault;
import io.plat.tests.drill.ServerAccess.Reply;
import io.plat.tests.drill.ServerAccess.Request;
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

/** Clients during a sequence of faults. */
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
     * @param seed seed of random choices
     * @param faults faults, one after the other
     * @param quiet initial time without faults
     * @param enough whether that was long enough; evaluated until it is true, with a limit
     * @param longest maximum duration of a fault; at least a quarter of a second
     */
    record Plan(long seed, List<Fault> faults, Duration quiet, BooleanSupplier enough, Duration longest) {
        Plan {
            faults = List.copyOf(faults);
        }
    }

    /**
     * Creates a drill.
     *
     * @param log receives each fault
     */
    Drill(ServerAccess access, Plan plan, Consumer<String> log) {
        this.round = new Round(access);
        this.plan = plan;
        this.log = log;
        this.random = new Random(plan.seed());
    }

    /** Runs the drill; returns what the clients observed. The access can be reused. */
    Observations run() throws IOException, InterruptedException, ExecutionException {
        List<Future<?>> asking = new ArrayList<>();
        List<Future<?>> watching = new ArrayList<>();
        List<Watcher> watchers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                long from = Long.parseLong(RegisterObjects.version(list(0, "?limit=1")));
                for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                    watchers.add(new Watcher(round, server, false, from));
                    asking.add(threads.submit(new Prober(round, server)));
                    asking.add(threads.submit(new UnauthorizedClient(round, server)));
                }
                watchers.add(new Watcher(round, 0, true, from));
                watchers.forEach(watcher -> watching.add(threads.submit(watcher)));
                for (int client = 0; client < CLIENTS; client++) {
                    asking.add(threads.submit(new RegisterClient(round, plan.seed() * 1000 + client)));
                }
                befall();
                round.end();
                await(asking);
                FinalState finished = finish(watchers);
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
        recovered(new InjectedFault("the start", start, start));
        round.over((int) plan.quiet().toMillis());
        while (!plan.enough().getAsBoolean() && System.nanoTime() - start < PATIENCE.toNanos()) {
            round.over(SETTLING_MILLIS);
        }
        int number = 0;
        for (Fault fault : plan.faults()) {
            number++;
            round.nextEpoch(number);
            int millis = 250 + random.nextInt((int) plan.longest().toMillis() - 249);
            long started = System.nanoTime();
            fault.begin().run();
            try {
                round.over(millis);
            } finally {
                fault.end().run();
            }
            var befallen = new InjectedFault(number + ". " + fault, started, System.nanoTime());
            log.accept("%3d. %s for %.2f s; all serve %s"
                    .formatted(number, fault, (befallen.ended() - started) / 1e9, recovered(befallen)));
            round.over(SETTLING_MILLIS);
        }
    }

    /** Waits until all servers respond again, and reports the time. */
    private String recovered(InjectedFault fault) {
        round.notes().inject(fault);
        while (System.nanoTime() - fault.ended() < PATIENCE.toNanos() && !round.over(5)) {
            long last = 0;
            for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                OptionalLong back = SlowRecoveries.back(round.notes().servedSince(), fault, server);
                last = Math.max(last, back.orElse(Long.MAX_VALUE));
            }
            if (last < Long.MAX_VALUE) {
                return "%.2f s after its end".formatted(last / 1e9);
            }
        }
        return "not again within " + PATIENCE.toSeconds() + " s";
    }

    /** All writers have ended. */
    private FinalState finish(List<Watcher> watchers) throws IOException {
        long called = System.nanoTime();
        JsonNode list = list(0, "");
        long returned = System.nanoTime();
        Map<String, Long> states = states(list);
        long version = Long.parseLong(RegisterObjects.version(list));
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
        long events = mark();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean all = false;
        while (!all && System.nanoTime() - deadline < 0 && !round.watchedEnough(5)) {
            all = watchers.stream().allMatch(watcher -> watcher.reached() >= events);
        }
        return new FinalState(states, version, events);
    }

    private Map<String, Long> states(JsonNode list) {
        Map<String, Long> states = new HashMap<>();
        for (JsonNode item : list.path("items")) {
            if (RegisterObjects.name(item).startsWith(round.name())) {
                states.put(RegisterObjects.name(item), RegisterObjects.state(item));
            }
        }
        return states;
    }

    private JsonNode list(int server, String query) throws IOException {
        return good(new Request(DrilledSystem.WRITER, server, "GET", RegisterObjects.PATH + query, null, ANSWER));
    }

    /** A last write, which all watchers must receive. */
    private long mark() throws IOException {
        String body = RegisterObjects.body(round.name() + "end", round.nextState(), "");
        return Long.parseLong(RegisterObjects.version(
                good(new Request(DrilledSystem.WRITER, 0, "POST", RegisterObjects.PATH, body, ANSWER))));
    }

    private JsonNode good(Request request) throws IOException {
        Reply reply = round.door().send(request);
        if (!reply.good()) {
            throw new AssertionError(request + " was answered " + reply);
        }
        return RegisterObjects.json(reply.body());
    }
}
