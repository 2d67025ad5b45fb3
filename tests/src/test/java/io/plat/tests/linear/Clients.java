package io.plat.tests.linear;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Concurrent clients that read, create, replace and delete a few keys and record the results. Each writes unique states, so that a state
 * identifies its write.
 */
final class Clients {
    private static final int KEYS = 4;

    private final Registers registers;
    private final AtomicLong states;
    private final AtomicInteger answered = new AtomicInteger();

    /**
     * Clients of registers.
     *
     * @param states generator of unique states
     */
    Clients(Registers registers, AtomicLong states) {
        this.registers = registers;
        this.states = states;
    }

    /**
     * Runs clients until each has finished its operations, or has an operation with an unknown outcome, because its server is gone.
     *
     * @param started runs once they have been started
     */
    List<Operation> run(int clients, int operations, long seed, Runnable started)
            throws InterruptedException, ExecutionException {
        List<Operation> history = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<List<Operation>>> all = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                var random = new Random(seed * 1000 + client);
                Callable<List<Operation>> life = () -> live(random, operations);
                all.add(threads.submit(life));
            }
            started.run();
            for (Future<List<Operation>> one : all) {
                history.addAll(one.get());
            }
        }
        return history;
    }

    private List<Operation> live(Random random, int operations) {
        List<Operation> done = new ArrayList<>();
        Map<String, Long> known = new HashMap<>();
        for (int i = 0; i < operations; i++) {
            String key = "key-" + random.nextInt(KEYS);
            Operation operation = call(key, choose(random, known.getOrDefault(key, 0L)));
            done.add(operation);
            if (operation.result() instanceof Operation.Result.Unknown) {
                return done;
            }
            learn(known, operation);
        }
        return done;
    }

    private Operation.Action choose(Random random, long seen) {
        int dice = random.nextInt(10);
        if (dice < 4) {
            return new Operation.Action.Read();
        }
        if (seen == 0) {
            return new Operation.Action.Create(states.incrementAndGet());
        }
        return dice < 9
                ? new Operation.Action.Replace(seen, states.incrementAndGet())
                : new Operation.Action.Delete(seen);
    }

    /** Runs an operation and records the time before and after it. */
    Operation call(String key, Operation.Action action) {
        long called = System.nanoTime();
        Operation.Result result = registers.apply(key, action);
        answered.incrementAndGet();
        long returned = result instanceof Operation.Result.Unknown ? Long.MAX_VALUE : System.nanoTime();
        return new Operation(key, action, result, called, returned);
    }

    /** Returns the number of calls with a known outcome. */
    int answered() {
        return answered.get();
    }

    /** Reads every key. */
    List<Operation> readAll() {
        List<Operation> reads = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            reads.add(call("key-" + key, new Operation.Action.Read()));
        }
        return reads;
    }

    /** After a refusal the known state is outdated; the next read returns the current one. */
    private static void learn(Map<String, Long> known, Operation operation) {
        if (operation.result() instanceof Operation.Result.Found found) {
            known.put(operation.key(), found.state());
        } else if (operation.result() instanceof Operation.Result.Done) {
            known.put(
                    operation.key(),
                    switch (operation.action()) {
                        case Operation.Action.Create create -> create.state();
                        case Operation.Action.Replace replace -> replace.state();
                        case Operation.Action.Delete ignored -> 0L;
                        case Operation.Action.Read ignored ->
                            throw new IllegalStateException("a read is not done but found");
                    });
        }
    }
}
