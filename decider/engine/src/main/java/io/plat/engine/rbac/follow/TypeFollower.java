package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.SourceException.Kind;
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.process.BackgroundLoop;
import io.plat.process.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Follower of one type: it lists the type if there is no version to resume from, else watches from that version. Not thread-safe.
 *
 * <p>Effect of a failure on the version:
 *
 * <ul>
 *   <li>no response, or an interrupted stream: it is retained, and the watch is resumed, unless the server went back to an earlier state;
 *   <li>a version that is no longer available, a malformed response, a server that went back: it is dropped;
 *   <li>a refusal: it is retained at first. A server that repeatedly refuses a watch may still answer a list.
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
    /** True if the server may have an older state than before, or be another one. */
    private boolean doubtful;

    /** Waits on the calling thread. */
    @FunctionalInterface
    interface Pause {
        void of(Duration duration) throws InterruptedException;
    }

    /**
     * Parts shared by the followers of all types.
     *
     * @param requests requests to the server
     * @param objects the known objects
     * @param log log for the operator
     * @param limits limits on the number of objects
     * @param timing durations
     * @param environment clock, randomness and delays
     */
    record Parts(
            RoleRequests requests,
            FollowedObjects objects,
            Progress progress,
            SourceLog log,
            Limits limits,
            Timing timing,
            Environment environment) {}

    /**
     * Clock, randomness and delays.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param random supplies numbers from 0 to 1
     * @param pause waits
     */
    record Environment(LongSupplier nanoTime, DoubleSupplier random, Pause pause) {}

    TypeFollower(RbacKind kind, Parts parts) {
        this.kind = kind;
        this.parts = parts;
    }

    /** Restarts with a list, as it is unknown how much of the last response was applied. */
    @Override
    public void begin() {
        version = "";
    }

    @Override
    public Duration round() throws InterruptedException {
        runRound();
        return BackgroundLoop.NONE;
    }

    /** Performs one list or one complete watch, and the delay after it. */
    void runRound() throws InterruptedException {
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
            // If the follower ended unnoticed, revoked rights would remain in effect.
            failed(new SourceException(
                    Kind.MALFORMED, "internal error: " + bug.getClass().getName() + " at " + Tasks.throwLocation(bug)));
        }
    }

    private void list() throws SourceException {
        ServedPage listed;
        try {
            listed = parts.requests.list(kind, chunked);
        } catch (SourceException failure) {
            // A continue token expired before the list was complete: the next attempt requests everything at once.
            chunked = failure.kind() != Kind.GONE && chunked;
            throw failure;
        }
        parts.objects.replace(kind, listed, parts.limits);
        parts.progress.listed(kind);
        version = listed.version();
        chunked = true;
        doubtful = false;
    }

    private void watch() throws SourceException, InterruptedException {
        if (doubtful) {
            // A watch from a future version would wait for it, while deleted objects would stay in effect.
            requireNotBefore(parts.requests.version(kind), version);
            doubtful = false;
        }
        long began = parts.environment.nanoTime().getAsLong();
        String from = version;
        parts.progress.watchStarted(kind);
        long seconds = parts.timing.watchSeconds(parts.environment.random());
        parts.requests.watch(kind, version, seconds, this::apply);
        long lasted = parts.environment.nanoTime().getAsLong() - began;
        if (version.equals(from) && lasted < parts.timing.shortest().toNanos()) {
            parts.environment.pause().of(nextPause());
            return;
        }
        succeeded();
        parts.progress.confirmed(kind);
    }

    private void apply(List<ServedEvent> events) throws SourceException {
        String last = version;
        for (ServedEvent event : events) {
            String next = versionOf(event, last);
            requireNotBefore(next, last);
            last = next;
        }
        parts.objects.change(kind, events, parts.limits);
        if (!last.equals(version)) {
            version = last;
            succeeded();
        }
        parts.progress.confirmed(kind);
    }

    private static void requireNotBefore(String version, String last) throws SourceException {
        if (isBefore(version, last)) {
            throw new SourceException(Kind.MALFORMED, "the server went back from version " + last + " to " + version);
        }
    }

    /**
     * Returns whether one version is certainly earlier. Versions are opaque, but if both are numbers, as in Kubernetes, their order reveals that a
     * server lost state.
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
        return parts.timing.pause(++failures, parts.environment.random());
    }

    private void succeeded() {
        failures = 0;
        refusals = 0;
        parts.log.succeeded(kind);
    }

    private void failed(SourceException failure) throws InterruptedException {
        doubtful = true;
        parts.progress.failed(kind);
        parts.log.failed(kind, String.valueOf(failure.getMessage()), parts.progress.isLoaded());
        switch (failure.kind()) {
            case UNREACHABLE -> {}
            case GONE, MALFORMED, TOO_LONG -> version = "";
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
        parts.environment.pause().of(pause.compareTo(failure.notBefore()) > 0 ? pause : failure.notBefore());
    }
}
