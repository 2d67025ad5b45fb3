package io.plat.tests.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Client access that makes a correct system appear broken in one way. */
final class FaultyAccess implements ServerAccess {
    private static final int ENOUGH = 6;
    private static final Duration CLOSED = Duration.ofMillis(1500);

    private final ServerAccess access;
    private final Misbehaviour misbehaviour;
    private final AtomicInteger chances = new AtomicInteger();
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
        DOUBLED_EVENT(Violation.Kind.TOLD),
        /** An event is omitted. */
        MISSED_EVENT(Violation.Kind.TOLD),
        /** A user without permissions is treated as another user. */
        ALLOWED_STRANGER(Violation.Kind.DECISION),
        /** A user with all permissions is treated as another user. */
        DENIED_WRITER(Violation.Kind.DECISION),
        /** Writes through one server stop for a while. */
        SLOW_RETURN(Violation.Kind.RETURN);

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
        return misbehaviour == Misbehaviour.SLOW_RETURN || misbehaviours.get() >= ENOUGH;
    }

    /** Returns true periodically. */
    private boolean turn(int times) {
        return chances.incrementAndGet() % times == 0;
    }

    /** Returns true periodically, and counts a misbehaviour. */
    private boolean chance(int times) {
        boolean now = turn(times);
        if (now) {
            misbehaviours.incrementAndGet();
        }
        return now;
    }

    /** A write that is refused anyway is no misbehaviour, as nothing was acknowledged. */
    private Reply lost(Request request) throws IOException {
        Reply reply = access.send(dry(request));
        if (reply.good()) {
            misbehaviours.incrementAndGet();
        }
        return reply;
    }

    @Override
    public Reply send(Request request) throws IOException {
        return switch (misbehaviour) {
            case LOST_WRITE -> request.method().equals("PUT") && turn(10) ? lost(request) : access.send(request);
            case LOST_REMOVAL -> request.method().equals("DELETE") ? lost(request) : access.send(request);
            case STALE_READ -> stale(request);
            case ALLOWED_STRANGER ->
                access.send(
                        request.user().equals(DrilledSystem.STRANGER) && chance(7)
                                ? by(DrilledSystem.WRITER, request)
                                : request);
            case DENIED_WRITER ->
                access.send(
                        request.method().equals("PUT") && chance(7) ? by(DrilledSystem.STRANGER, request) : request);
            case SLOW_RETURN -> {
                if (request.server() == 1
                        && request.method().startsWith("P")
                        && System.nanoTime() - opened < CLOSED.toNanos()) {
                    throw new IOException("nobody there");
                }
                yield access.send(request);
            }
            case DOUBLED_EVENT, MISSED_EVENT -> access.send(request);
        };
    }

    private static Request dry(Request request) {
        return new Request(
                request.user(),
                request.server(),
                request.method(),
                request.path() + "?dryRun=All",
                request.body(),
                request.patience());
    }

    private static Request by(String user, Request request) {
        return new Request(
                user, request.server(), request.method(), request.path(), request.body(), request.patience());
    }

    private Reply stale(Request request) throws IOException {
        Reply now = access.send(request);
        if (!request.method().equals("GET") || request.path().contains("?") || now.code() != 200) {
            return now;
        }
        Reply before = former.putIfAbsent(request.path(), now);
        return before != null && !before.equals(now) && chance(3) ? before : now;
    }

    @Override
    public int watch(int server, String path, Consumer<String> events) throws IOException {
        if (server != 1 || (misbehaviour != Misbehaviour.DOUBLED_EVENT && misbehaviour != Misbehaviour.MISSED_EVENT)) {
            return access.watch(server, path, events);
        }
        return access.watch(server, path, line -> {
            boolean now = chance(10);
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
