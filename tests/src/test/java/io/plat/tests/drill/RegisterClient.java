package io.plat.tests.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.drill.ServerAccess.Reply;
import io.plat.tests.drill.ServerAccess.Request;
import io.plat.tests.linear.Operation;
import io.plat.tests.linear.Operation.Action;
import io.plat.tests.linear.Operation.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Reads, creates, replaces and deletes a few objects through any server, and records the results. Each fault starts with new objects, so
 * that a violation has a short history. For one thread.
 */
final class RegisterClient implements Runnable {
    private static final int KEYS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int MAX_PAUSE_MILLIS = 40;

    private final Round round;
    private final Random random;
    private final Map<String, Long> known = new HashMap<>();

    RegisterClient(Round round, long seed) {
        this.round = round;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        while (!round.isOver(1 + random.nextInt(MAX_PAUSE_MILLIS))) {
            String key = round.key(random.nextInt(KEYS));
            Action action = choose(known.getOrDefault(key, 0L));
            long called = System.nanoTime();
            Result result = apply(random.nextInt(DrilledSystem.SERVERS), key, action);
            boolean unknown = result instanceof Result.Unknown;
            round.recorder()
                    .operation(
                            new Operation(key, action, result, called, unknown ? Long.MAX_VALUE : System.nanoTime()));
            learn(key, action, result);
        }
    }

    private Action choose(long lastState) {
        int dice = random.nextInt(10);
        if (dice < 4) {
            return new Action.Read();
        }
        if (lastState == 0) {
            return new Action.Create(round.nextState());
        }
        return dice < 9 ? new Action.Replace(lastState, round.nextState()) : new Action.Delete(lastState);
    }

    private Result apply(int server, String key, Action action) {
        try {
            return switch (action) {
                case Action.Read _ -> read(send(server, "GET", RegisterObjects.at(key), ""));
                case Action.Create create ->
                    writeResult(
                            key,
                            send(server, "POST", RegisterObjects.PATH, RegisterObjects.body(key, create.state(), "")),
                            create.state());
                case Action.Replace replace ->
                    writeResult(
                            key,
                            send(
                                    server,
                                    "PUT",
                                    RegisterObjects.at(key),
                                    RegisterObjects.body(key, replace.state(), version(replace.expected()))),
                            replace.state());
                case Action.Delete delete ->
                    deleteResult(
                            key,
                            send(
                                    server,
                                    "DELETE",
                                    RegisterObjects.at(key),
                                    RegisterObjects.removal(version(delete.expected()))),
                            delete.expected());
            };
        } catch (IOException aborted) {
            return new Result.Unknown();
        }
    }

    private Reply send(int server, String method, String path, String body) throws IOException {
        Reply reply = round.access()
                .send(new Request(DrilledSystem.WRITER, server, method, path, body.isEmpty() ? null : body, TIMEOUT));
        round.recorder().answered("writer's " + method + " " + path + " at server " + server, true, reply.code());
        return reply;
    }

    private String version(long state) {
        return Objects.requireNonNull(round.versions().get(state));
    }

    private Result read(Reply reply) {
        if (reply.code() == 404) {
            return new Result.Found(0);
        }
        return reply.code() == 200 ? new Result.Found(recordVersion(reply)) : new Result.Unknown();
    }

    private long recordVersion(Reply reply) {
        JsonNode object = RegisterObjects.json(reply.body());
        long state = RegisterObjects.state(object);
        round.versions().putIfAbsent(state, RegisterObjects.version(object));
        return state;
    }

    private Result writeResult(String key, Reply reply, long state) {
        if (reply.code() == 409 || reply.code() == 404) {
            return new Result.Refused();
        }
        if (!reply.isSuccess()) {
            return new Result.Unknown();
        }
        round.recorder().acknowledged(key, state, false);
        recordVersion(reply);
        return new Result.Done();
    }

    private Result deleteResult(String key, Reply reply, long state) {
        if (reply.code() == 409 || reply.code() == 404) {
            return new Result.Refused();
        }
        if (!reply.isSuccess()) {
            return new Result.Unknown();
        }
        round.recorder().acknowledged(key, state, true);
        return new Result.Done();
    }

    private void learn(String key, Action action, Result result) {
        switch (result) {
            case Result.Found found -> known.put(key, found.state());
            case Result.Refused _, Result.Unknown _ -> known.remove(key);
            case Result.Done _ ->
                known.put(
                        key,
                        switch (action) {
                            case Action.Create create -> create.state();
                            case Action.Replace replace -> replace.state();
                            case Action.Delete _ -> 0L;
                            case Action.Read _ -> throw new IllegalStateException("a read has a result");
                        });
        }
    }
}
