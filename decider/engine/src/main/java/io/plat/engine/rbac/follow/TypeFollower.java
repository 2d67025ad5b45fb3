package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.SourceException.Kind;
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Follows one type: lists it where there is no version to go on from, else watches from the version. For one thread.
 *
 * <p>What a failure does to the version:
 *
 * <ul>
 *   <li>no answer, or a stream that was cut: it stays, and the watch is resumed, if the server has not gone back behind it;
 *   <li>a version that is no longer kept, an answer that is none, a server that went back: it is dropped;
 *   <li>a refusal: it stays at first. A server that refuses a watch again and again may still answer a list.
 * </ul>
 */
final class TypeFollower implements BackgroundLoop.Work {
    private static final int REFUSALS = 3;

    private final RbacKind kind;
    private final Parts parts;
    private String version = "";
    private boolean chunked = true;
    private int failures;
    private int refusals;
    /** Whether the server may be another one than it was, or the same with an older state. */
    private boolean doubtful;

    /** Waits. */
    @FunctionalInterface
    interface Pause {
        void of(Duration duration) throws InterruptedException;
    }

    /**
     * What the followers of all types share.
     *
     * @param requests asks the server
     * @param objects takes what it answers
     * @param log for the operator
     * @param limits how many objects there may be
     * @param timing how long things take
     * @param surroundings the world outside
     */
    record Parts(
            RoleRequests requests,
            RoleObjects objects,
            Progress progress,
            SourceLog log,
            Limits limits,
            Timing timing,
            Surroundings surroundings) {}

    /**
     * The clock, chance and waiting.
     *
     * @param nanoTime nanoseconds that only grow
     * @param random gives numbers from 0 to 1
     * @param pause waits
     */
    record Surroundings(LongSupplier nanoTime, DoubleSupplier random, Pause pause) {}

    TypeFollower(RbacKind kind, Parts parts) {
        this.kind = kind;
        this.parts = parts;
    }

    /** Lists anew: nobody knows what was taken of the last answer. */
    @Override
    public void begin() {
        version = "";
    }

    @Override
    public Duration round() throws InterruptedException {
        turn();
        return BackgroundLoop.NONE;
    }

    /** One list, or one watch from its begin to its end, and what has to be waited after it. */
    void turn() throws InterruptedException {
        try {
            if (version.isEmpty()) {
                list();
            } else {
                watch();
            }
        } catch (SourceException failure) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            failed(failure);
        } catch (RuntimeException | StackOverflowError bug) {
            // A follower that ends in silence would leave rights in force that were revoked long ago.
            failed(new SourceException(Kind.MALFORMED, "a fault of this program: " + place(bug)));
        }
    }

    private static String place(Throwable bug) {
        StackTraceElement[] trace = bug.getStackTrace();
        return bug.getClass().getName() + " at " + (trace.length == 0 ? "an unknown place" : trace[0]);
    }

    private void list() throws SourceException {
        ServedPage listed;
        try {
            listed = parts.requests.list(kind, chunked);
        } catch (SourceException failure) {
            // A token that expired before the list was complete: the next attempt asks for everything at once.
            chunked = failure.kind() != Kind.GONE && chunked;
            throw failure;
        }
        parts.objects.replace(kind, listed);
        parts.progress.listed(kind);
        version = listed.version();
        chunked = true;
        doubtful = false;
    }

    private void watch() throws SourceException, InterruptedException {
        if (doubtful) {
            // A watch from a version that is yet to come would wait for it, and what was lost would go on deciding.
            requireNotBefore(parts.requests.version(kind), version);
            doubtful = false;
        }
        long began = parts.surroundings.nanoTime().getAsLong();
        String from = version;
        parts.progress.watchBegins(kind);
        long seconds = parts.timing.watchSeconds(parts.surroundings.random());
        parts.requests.watch(kind, version, seconds, this::take);
        long lasted = parts.surroundings.nanoTime().getAsLong() - began;
        if (version.equals(from) && lasted < parts.timing.shortest().toNanos()) {
            parts.surroundings.pause().of(nextPause());
            return;
        }
        works();
        parts.progress.confirmed(kind);
    }

    private void take(List<ServedEvent> events) throws SourceException {
        String last = version;
        for (ServedEvent event : events) {
            String next = versionOf(event, last);
            requireNotBefore(next, last);
            last = next;
        }
        parts.objects.change(kind, events, parts.limits.objects());
        if (!last.equals(version)) {
            version = last;
            works();
        }
        parts.progress.confirmed(kind);
    }

    private static void requireNotBefore(String version, String last) throws SourceException {
        if (isBefore(version, last)) {
            throw new SourceException(Kind.MALFORMED, "the server went back from version " + last + " to " + version);
        }
    }

    /**
     * Whether one version is certainly the earlier one. Their meaning is the server's; those of the field are numbers that grow, and where
     * both are, their order shows that a server lost what it had told.
     */
    static boolean isBefore(String one, String other) {
        if (!isNumber(one) || !isNumber(other)) {
            return false;
        }
        return one.length() == other.length() ? one.compareTo(other) < 0 : one.length() < other.length();
    }

    private static boolean isNumber(String version) {
        return !version.isEmpty() && version.charAt(0) != '0' && version.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String versionOf(ServedEvent event, String otherwise) {
        return switch (event) {
            case ServedEvent.Put put -> put.object().version();
            case ServedEvent.Removal removal -> removal.object().version();
            case ServedEvent.Bookmark bookmark -> bookmark.version();
            case ServedEvent.Failure ignored -> otherwise;
        };
    }

    private Duration nextPause() {
        return parts.timing.pause(++failures, parts.surroundings.random());
    }

    private void works() {
        failures = 0;
        refusals = 0;
        parts.log.works(kind);
    }

    private void failed(SourceException failure) throws InterruptedException {
        doubtful = true;
        parts.progress.failed(kind);
        parts.log.failed(kind, String.valueOf(failure.getMessage()), parts.progress.isLoaded());
        switch (failure.kind()) {
            case UNREACHABLE -> {}
            case GONE, MALFORMED -> version = "";
            case REFUSED -> {
                refusals++;
                if (refusals % REFUSALS == 0) {
                    version = "";
                }
            }
        }
        Duration pause = nextPause();
        if (!parts.progress.isLoaded() && pause.compareTo(parts.timing.pauseAtStart()) > 0) {
            pause = parts.timing.pauseAtStart();
        }
        parts.surroundings.pause().of(pause.compareTo(failure.notBefore()) > 0 ? pause : failure.notBefore());
    }
}
