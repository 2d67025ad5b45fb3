package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.process.BackgroundLoop;
import io.plat.process.Freshness;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.tls.ClientTls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Policy source that follows the role objects of an API server, each type on a virtual thread, until closed. */
public final class RoleSource implements AutoCloseable {
    private final Freshness freshness;
    private final Progress progress;
    private final FollowedObjects objects;
    private final TypeFollower.Parts parts;
    private final List<BackgroundLoop> loops = new ArrayList<>();

    /**
     * Creates a source that has not sent a request.
     *
     * @param connection the server, and the token to send
     * @param tls trusted CAs and client certificate; remains the caller's
     * @param current receives the index once it is complete, and after each change
     * @param freshness is confirmed whenever the server reports that the index is current
     * @param changed called after each change, by the thread that made it
     */
    public RoleSource(
            ServerConnection connection, ClientTls tls, CurrentRbac current, Freshness freshness, Runnable changed) {
        this.freshness = freshness;
        this.progress = new Progress(System::nanoTime, freshness);
        Timing timing = Timing.within(freshness.bound());
        SourceLog log = new SourceLog(connection.server().toString(), System::nanoTime, SourceLog.Lines.LOGGED);
        objects = new FollowedObjects(current, changed, progress, log);
        HttpsTransport transport = new HttpsTransport(connection.server(), tls.context(), connection.token());
        parts = new TypeFollower.Parts(
                new RoleRequests(transport, Limits.DEFAULT, timing, System::nanoTime),
                objects,
                progress,
                log,
                Limits.DEFAULT,
                timing,
                new TypeFollower.Environment(
                        System::nanoTime, () -> ThreadLocalRandom.current().nextDouble(), Thread::sleep));
    }

    /** Starts following. Called once. */
    public void start() {
        for (RbacKind kind : RbacKind.values()) {
            TypeFollower follower = new TypeFollower(kind, parts);
            loops.add(BackgroundLoop.virtual("follow-" + kind.resource(), follower)
                    .start());
        }
    }

    public Progress progress() {
        return progress;
    }

    /** Returns the reason why the role objects are not in effect, or {@code ""} if they are. */
    public String problem() {
        if (progress.isLoaded()) {
            return freshness.isCurrent() ? "" : RbacAuthorizer.NOT_CURRENT;
        }
        return "not loaded yet: "
                + objects.missing().stream().map(RbacKind::resource).collect(Collectors.joining(", "));
    }

    /** Aborts requests in progress. The loaded policy stays in effect. */
    @Override
    public void close() {
        loops.forEach(BackgroundLoop::close);
    }
}
