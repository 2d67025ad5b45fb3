package io.plat.tests.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Stands between clients and a sound system, and has it look broken in one way. */
final class LyingDoor implements Door {
    private static final int ENOUGH = 6;
    private static final Duration CLOSED = Duration.ofMillis(1500);

    private final Door door;
    private final Lie lie;
    private final AtomicInteger chances = new AtomicInteger();
    private final AtomicInteger lies = new AtomicInteger();
    private final Map<String, Reply> former = new ConcurrentHashMap<>();
    private final long opened = System.nanoTime();

    /** Kinds of faulty behaviour, and the promises that they break. */
    enum Lie {
        /** A replacement is answered as if it had been made, by a server that was told to make none. */
        LOST_WRITE(Violation.Kind.LOST),
        /** So is a removal: who reads afterwards finds what is not there any more. */
        LOST_REMOVAL(Violation.Kind.ORDER),
        /** A read is answered as an earlier one was, as by a member that has fallen behind. */
        STALE_READ(Violation.Kind.ORDER),
        /** A change is told again. */
        DOUBLED_EVENT(Violation.Kind.TOLD),
        /** A change is left out for one who watches. */
        MISSED_EVENT(Violation.Kind.TOLD),
        /** A user without permissions is treated as another user. */
        ALLOWED_STRANGER(Violation.Kind.DECISION),
        /** A user with all permissions is treated as another user. */
        DENIED_WRITER(Violation.Kind.DECISION),
        /** Nobody writes through one server for a while. */
        SLOW_RETURN(Violation.Kind.RETURN);

        final Violation.Kind breaks;

        Lie(Violation.Kind breaks) {
            this.breaks = breaks;
        }
    }

    LyingDoor(Door door, Lie lie) {
        this.door = door;
        this.lie = lie;
    }

    /** Returns whether it has misbehaved often enough to be detected; one that is shut for a while has done all it will. */
    boolean hasLied() {
        return lie == Lie.SLOW_RETURN || lies.get() >= ENOUGH;
    }

    /** Every so often. */
    private boolean turn(int times) {
        return chances.incrementAndGet() % times == 0;
    }

    /** Every so often, and that is a lie. */
    private boolean chance(int times) {
        boolean now = turn(times);
        if (now) {
            lies.incrementAndGet();
        }
        return now;
    }

    /** A change that was refused in any case is no lie, as nothing was promised. */
    private Reply lost(Question question) throws IOException {
        Reply reply = door.ask(dry(question));
        if (reply.good()) {
            lies.incrementAndGet();
        }
        return reply;
    }

    @Override
    public Reply ask(Question question) throws IOException {
        return switch (lie) {
            case LOST_WRITE -> question.method().equals("PUT") && turn(10) ? lost(question) : door.ask(question);
            case LOST_REMOVAL -> question.method().equals("DELETE") ? lost(question) : door.ask(question);
            case STALE_READ -> stale(question);
            case ALLOWED_STRANGER ->
                door.ask(
                        question.user().equals(DrilledSystem.STRANGER) && chance(7)
                                ? by(DrilledSystem.WRITER, question)
                                : question);
            case DENIED_WRITER ->
                door.ask(
                        question.method().equals("PUT") && chance(7) ? by(DrilledSystem.STRANGER, question) : question);
            case SLOW_RETURN -> {
                if (question.server() == 1
                        && question.method().startsWith("P")
                        && System.nanoTime() - opened < CLOSED.toNanos()) {
                    throw new IOException("nobody there");
                }
                yield door.ask(question);
            }
            case DOUBLED_EVENT, MISSED_EVENT -> door.ask(question);
        };
    }

    private static Question dry(Question question) {
        return new Question(
                question.user(),
                question.server(),
                question.method(),
                question.path() + "?dryRun=All",
                question.body(),
                question.patience());
    }

    private static Question by(String user, Question question) {
        return new Question(
                user, question.server(), question.method(), question.path(), question.body(), question.patience());
    }

    private Reply stale(Question question) throws IOException {
        Reply now = door.ask(question);
        if (!question.method().equals("GET") || question.path().contains("?") || now.code() != 200) {
            return now;
        }
        Reply before = former.putIfAbsent(question.path(), now);
        return before != null && !before.equals(now) && chance(3) ? before : now;
    }

    @Override
    public int watch(int server, String path, Consumer<String> told) throws IOException {
        if (server != 1 || (lie != Lie.DOUBLED_EVENT && lie != Lie.MISSED_EVENT)) {
            return door.watch(server, path, told);
        }
        return door.watch(server, path, line -> {
            boolean now = chance(10);
            if (lie != Lie.MISSED_EVENT || !now) {
                told.accept(line);
            }
            if (lie == Lie.DOUBLED_EVENT && now) {
                told.accept(line);
            }
        });
    }

    /** The door behind it stays open. */
    @Override
    public void close() {}
}
