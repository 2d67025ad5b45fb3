package io.plat.tests.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Client access that makes a correct system appear broken in one way. */
final class FaultyAccess implements ServerAccess {
    private static final int MIN_MISBEHAVIOURS = 6;
    private static final Duration OUTAGE = Duration.ofMillis(1500);

    private final ServerAccess access;
    private final Misbehaviour misbehaviour;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger misbehaviours = new AtomicInteger();
    private final Map<String, Reply> former = new ConcurrentHashMap<>();
    private final long opened = System.nanoTime();

    /** Kinds of faulty behaviour, and the guarantees that they break. */
    enum Misbehaviour {
        /** A replace receives a success response, but was sent as a dry run. */
        LOST_WRITE(Violation.Kind.LOST),
        /** The same for a delete: later reads find the object. */
        LOST_REMOVAL(Violation.Kind.ORDER),
        /** A read receives an earlier response, as from a member that has fallen behind. */
        STALE_READ(Violation.Kind.ORDER),
        /** An event is repeated. */
        DOUBLED_EVENT(Violation.Kind.WATCH),
        /** An event is omitted. */
        MISSED_EVENT(Violation.Kind.WATCH),
        /** A user without permissions is treated as another user. */
        ALLOWED_STRANGER(Violation.Kind.DECISION),
        /** A user with all permissions is treated as another user. */
        DENIED_WRITER(Violation.Kind.DECISION),
        /** Writes through one server stop for a while. */
        SLOW_RECOVERY(Violation.Kind.RECOVERY);

        final Violation.Kind breaks;

        Misbehaviour(Violation.Kind breaks) {
            this.breaks = breaks;
        }
    }

    FaultyAccess(ServerAccess access, Misbehaviour misbehaviour) {
        this.access = access;
        this.misbehaviour = misbehaviour;
    }

    /** Returns whether it has misbehaved often enough to be detected; a temporary outage counts once. */
    boolean hasMisbehaved() {
        return misbehaviour == Misbehaviour.SLOW_RECOVERY || misbehaviours.get() >= MIN_MISBEHAVIOURS;
    }

    /** Returns whether this call is the next n-th one. */
    private boolean isTurn(int times) {
        return calls.incrementAndGet() % times == 0;
    }

    /** Returns whether this call is the next n-th one, and counts it as a misbehaviour. */
    private boolean misbehaveEvery(int times) {
        boolean now = isTurn(times);
        if (now) {
            misbehaviours.incrementAndGet();
        }
        return now;
    }

    /** Sends a write as a dry run. One that is refused is no misbehaviour, as nothing was acknowledged. */
    private Reply sendDryRun(Request request) throws IOException {
        Reply reply = access.send(dryRun(request));
        if (reply.isSuccess()) {
            misbehaviours.incrementAndGet();
        }
        return reply;
    }

    @Override
    public Reply send(Request request) throws IOException {
        return switch (misbehaviour) {
            case LOST_WRITE ->
                request.method().equals("PUT") && isTurn(10) ? sendDryRun(request) : access.send(request);
            case LOST_REMOVAL -> request.method().equals("DELETE") ? sendDryRun(request) : access.send(request);
            case STALE_READ -> sendStale(request);
            case ALLOWED_STRANGER ->
                access.send(
                        request.user().equals(DrilledSystem.STRANGER) && misbehaveEvery(7)
                                ? as(DrilledSystem.WRITER, request)
                                : request);
            case DENIED_WRITER ->
                access.send(
                        request.method().equals("PUT") && misbehaveEvery(7)
                                ? as(DrilledSystem.STRANGER, request)
                                : request);
            case SLOW_RECOVERY -> {
                if (request.server() == 1
                        && request.method().startsWith("P")
                        && System.nanoTime() - opened < OUTAGE.toNanos()) {
                    throw new IOException("connection refused");
                }
                yield access.send(request);
            }
            case DOUBLED_EVENT, MISSED_EVENT -> access.send(request);
        };
    }

    private static Request dryRun(Request request) {
        return new Request(
                request.user(),
                request.server(),
                request.method(),
                request.path() + "?dryRun=All",
                request.body(),
                request.timeout());
    }

    private static Request as(String user, Request request) {
        return new Request(user, request.server(), request.method(), request.path(), request.body(), request.timeout());
    }

    private Reply sendStale(Request request) throws IOException {
        Reply now = access.send(request);
        if (!request.method().equals("GET") || request.path().contains("?") || now.code() != 200) {
            return now;
        }
        Reply before = former.putIfAbsent(request.path(), now);
        return before != null && !before.equals(now) && misbehaveEvery(3) ? before : now;
    }

    @Override
    public int watch(int server, String path, Consumer<String> events) throws IOException {
        if (server != 1 || (misbehaviour != Misbehaviour.DOUBLED_EVENT && misbehaviour != Misbehaviour.MISSED_EVENT)) {
            return access.watch(server, path, events);
        }
        return access.watch(server, path, line -> {
            boolean now = misbehaveEvery(10);
            if (misbehaviour != Misbehaviour.MISSED_EVENT || !now) {
                events.accept(line);
            }
            if (misbehaviour == Misbehaviour.DOUBLED_EVENT && now) {
                events.accept(line);
            }
        });
    }

    /** The underlying access stays open. */
    @Override
    public void close() {}
}
