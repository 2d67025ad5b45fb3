package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.Explainer;
import io.plat.engine.union.CompositeAuthorizer;
import io.plat.engine.union.Member;
import io.plat.review.Attributes;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policy in effect, behind one reference. A reload replaces it as a whole, or leaves it unchanged if there is any problem; a change of a server's
 * role objects replaces it by one with the same files.
 *
 * <p>Callers that need the revision of a decision read {@link #current} once and use its authorizer and revision.
 */
public final class LivePolicy implements Authorizer, DelegatingExplainer, CompositeAuthorizer {
    private final PolicyLoader loader;
    private final PolicyReloadListener listener;
    private final List<Consumer<PolicySet>> revisions = new CopyOnWriteArrayList<>();
    /** Held while a revision is created and published; never while files are read, which would delay revocations. */
    private final Object publishing = new Object();

    private FilePolicy files;
    private volatile PolicySet current;
    private volatile boolean broken;
    /** Check that the files are unchanged since before they were read. */
    private volatile BooleanSupplier confirmed = () -> true;

    private volatile BooleanSupplier heldBack = () -> false;

    private LivePolicy(PolicyLoader loader, PolicyReloadListener listener, FilePolicy first) {
        this.loader = loader;
        this.listener = listener;
        this.files = first;
        this.current = loader.assemble(first);
    }

    /**
     * Loads the initial policy.
     *
     * @throws ProblemsException with every problem of every file
     */
    public static LivePolicy start(PolicyLoader loader, PolicyReloadListener listener) throws ProblemsException {
        return new LivePolicy(loader, listener, loader.read());
    }

    public PolicySet current() {
        return current;
    }

    /** Returns whether an earlier policy is in effect, because the current files are invalid, or have been written continually for long. */
    public boolean isBroken() {
        return broken || heldBack.getAsBoolean();
    }

    /**
     * Subscribes to revisions, whether files or role objects of a server changed. To miss none, first subscribe and then read {@link #current}.
     *
     * @param revisionListener called sequentially with the policy in effect, by the thread that changed it; must return quickly
     */
    public Subscription subscribe(Consumer<PolicySet> revisionListener) {
        revisions.add(Objects.requireNonNull(revisionListener));
        return () -> revisions.remove(revisionListener);
    }

    /** Subscription to revisions, until closed. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** Reads the files again, and swaps the policy if they changed and are valid; the listener is notified of the result. */
    public synchronized void reload() {
        PolicySet before = current;
        try {
            PolicyLoad load = loader.files();
            if (!confirmed.getAsBoolean()) {
                // The files changed while they were read: they are read again afterwards.
                return;
            }
            FilePolicy next = loader.readIfChanged(load);
            if (next != null) {
                listener.reloaded(before, publish(next));
            } else if (broken) {
                listener.restored(before);
            }
            broken = false;
        } catch (ProblemsException e) {
            broken = true;
            listener.rejected(before, e.problems());
        }
    }

    /**
     * Publishes a new revision of the same files, after the role objects of the followed server, the remote decider's policy or the arrangement of
     * the modes changed, so that clients drop cached decisions of the previous one. The change is in effect when this returns. Must be called once
     * previous responses of a remote decider are not used any more.
     */
    public void republish() {
        synchronized (publishing) {
            publish(files);
        }
    }

    private PolicySet publish(FilePolicy next) {
        synchronized (publishing) {
            files = next;
            PolicySet now = loader.assemble(next);
            current = now;
            revisions.forEach(revision -> revision.accept(now));
            return now;
        }
    }

    /** Reloads whenever the files change, until the watch is closed. A change between the first load and this call is not missed. */
    public FileWatch watch(FileWatch.Settings settings) {
        FileWatch watch = new FileWatch("policy", loader.paths(), settings, changed -> reload());
        confirmed = watch::confirm;
        heldBack = watch::isHeldBack;
        watch.recheck();
        watch.start();
        return watch;
    }

    @Override
    public List<Member> parts() {
        return List.of(new Member("the policy", current.authorizer()));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return current.authorizer().authorize(attributes);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return current.authorizer().decideFromMemory(attributes);
    }

    @Override
    public Explainer explainer() {
        return Explainer.of("the policy", current.authorizer());
    }
}
