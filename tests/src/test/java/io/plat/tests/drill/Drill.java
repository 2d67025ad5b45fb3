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

/** Clients that run during a sequence of faults. */
final class Drill {
    private static final int CLIENTS = 4;
    private static final int SETTLING_MILLIS = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

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
     * @param ready condition for the first fault, polled with a time limit
     * @param maxDuration maximum duration of a fault; at least a quarter of a second
     */
    record Plan(long seed, List<Fault> faults, Duration quiet, BooleanSupplier ready, Duration maxDuration) {
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
        List<Future<?>> clients = new ArrayList<>();
        List<Future<?>> watching = new ArrayList<>();
        List<Watcher> watchers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                long from = Long.parseLong(RegisterObjects.version(list(0, "?limit=1")));
                for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                    watchers.add(new Watcher(round, server, false, from));
                    clients.add(threads.submit(new Prober(round, server)));
                    clients.add(threads.submit(new UnauthorizedClient(round, server)));
                }
                watchers.add(new Watcher(round, 0, true, from));
                watchers.forEach(watcher -> watching.add(threads.submit(watcher)));
                for (int client = 0; client < CLIENTS; client++) {
                    clients.add(threads.submit(new RegisterClient(round, plan.seed() * 1000 + client)));
                }
                injectFaults();
                round.end();
                await(clients);
                FinalState finished = finish(watchers);
                return round.recorder()
                        .observations(watchers.stream().map(Watcher::log).toList(), finished);
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

    private void injectFaults() {
        long start = System.nanoTime();
        awaitRecovery(new InjectedFault("the start", start, start));
        round.isOver((int) plan.quiet().toMillis());
        while (!plan.ready().getAsBoolean() && System.nanoTime() - start < TIMEOUT.toNanos()) {
            round.isOver(SETTLING_MILLIS);
        }
        int number = 0;
        for (Fault fault : plan.faults()) {
            number++;
            round.nextEpoch(number);
            int millis = 250 + random.nextInt((int) plan.maxDuration().toMillis() - 249);
            long started = System.nanoTime();
            fault.begin().run();
            try {
                round.isOver(millis);
            } finally {
                fault.end().run();
            }
            var injected = new InjectedFault(number + ". " + fault, started, System.nanoTime());
            log.accept("%3d. %s for %.2f s; all servers recovered %s"
                    .formatted(number, fault, (injected.ended() - started) / 1e9, awaitRecovery(injected)));
            round.isOver(SETTLING_MILLIS);
        }
    }

    /** Waits until all servers respond again, and reports the time. */
    private String awaitRecovery(InjectedFault fault) {
        round.recorder().inject(fault);
        while (System.nanoTime() - fault.ended() < TIMEOUT.toNanos() && !round.isOver(5)) {
            long last = 0;
            for (int server = 0; server < DrilledSystem.SERVERS; server++) {
                OptionalLong recovery = SlowRecoveries.recovery(round.recorder().servedSince(), fault, server);
                last = Math.max(last, recovery.orElse(Long.MAX_VALUE));
            }
            if (last < Long.MAX_VALUE) {
                return "%.2f s after its end".formatted(last / 1e9);
            }
        }
        return "not within " + TIMEOUT.toSeconds() + " s";
    }

    /** Records the final state, after all writers have ended. */
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
        round.recorder().operations().forEach(operation -> keys.add(operation.key()));
        for (String key : keys) {
            round.recorder()
                    .operation(new Operation(
                            key,
                            new Operation.Action.Read(),
                            new Operation.Result.Found(states.getOrDefault(key, 0L)),
                            called,
                            returned));
        }
        long events = writeLast();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        boolean complete = false;
        while (!complete && System.nanoTime() - deadline < 0 && !round.isWatchOver(5)) {
            complete = watchers.stream().allMatch(watcher -> watcher.reached() >= events);
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
        return send(
                new Request(DrilledSystem.WRITER, server, "GET", RegisterObjects.PATH + query, null, REQUEST_TIMEOUT));
    }

    /** Writes once more; all watchers must receive this. Returns the version. */
    private long writeLast() throws IOException {
        String body = RegisterObjects.body(round.name() + "end", round.nextState(), "");
        return Long.parseLong(RegisterObjects.version(
                send(new Request(DrilledSystem.WRITER, 0, "POST", RegisterObjects.PATH, body, REQUEST_TIMEOUT))));
    }

    private JsonNode send(Request request) throws IOException {
        Reply reply = round.access().send(request);
        if (!reply.isSuccess()) {
            throw new AssertionError(request + " was answered " + reply);
        }
        return RegisterObjects.json(reply.body());
    }
}
