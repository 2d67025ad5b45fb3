package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.CompositeAuthorizer;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.Explainer;
import io.plat.review.Attributes;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The policy in effect, behind one reference. A reload replaces it as a whole, or leaves it unchanged if there is any problem; a change of role
 * objects of a server replaces it by one with the same files.
 *
 * <p>Callers that need the revision of a decision read {@link #current} once and use both from there.
 */
public final class LivePolicy implements Authorizer, DelegatingExplainer, CompositeAuthorizer {
    private final PolicyLoader loader;
    private final ReloadListener listener;
    private final List<RevisionListener> revisions = new CopyOnWriteArrayList<>();
    /** Held while a revision is created and published; never while files are read, as a revocation must not wait for them. */
    private final Object publishing = new Object();

    private FilePolicy files;
    private volatile PolicySet current;
    private volatile boolean broken;
    /** Returns whether the files are unchanged since before they were read. */
    private volatile BooleanSupplier confirmed = () -> true;

    private volatile BooleanSupplier heldBack = () -> false;

    private LivePolicy(PolicyLoader loader, ReloadListener listener, FilePolicy first) {
        this.loader = loader;
        this.listener = Objects.requireNonNull(listener);
        this.files = first;
        this.current = loader.assemble(first);
    }

    /**
     * Loads for the first time; there is nothing to fall back on yet.
     *
     * @throws ProblemsException with every problem of every file
     */
    public static LivePolicy start(PolicyLoader loader, ReloadListener listener) throws ProblemsException {
        return new LivePolicy(loader, listener, loader.read());
    }

    /** The present state. */
    public PolicySet current() {
        return current;
    }

    /** Returns whether an earlier policy decides: the current files are invalid, or have been written again and again for long. */
    public boolean isBroken() {
        return broken || heldBack.getAsBoolean();
    }

    /** Notifies of every revision from now on, until it is closed. To miss none, first subscribe and then read {@link #current}. */
    public Listening listen(RevisionListener revisionListener) {
        revisions.add(Objects.requireNonNull(revisionListener));
        return () -> revisions.remove(revisionListener);
    }

    /** A subscription to revisions; once closed, it receives no further one. */
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    /** Reads the files again, and swaps the policy where they changed and all is well; the listener hears of either. */
    public synchronized void reload() {
        PolicySet before = current;
        try {
            PolicyLoad load = loader.files();
            if (!confirmed.getAsBoolean()) {
                // A file is written while it is read: it is read again afterwards.
                return;
            }
            FilePolicy next = loader.readIfChanged(load);
            if (next != null) {
                listener.swapped(before, publish(next));
            } else if (broken) {
                listener.restored(before);
            }
            broken = false;
        } catch (ProblemsException e) {
            broken = true;
            listener.kept(before, e.problems());
        }
    }

    /** Decides by the role objects that are followed, as they are now, from the return on. */
    public void rolesChanged() {
        synchronized (publishing) {
            publish(files);
        }
    }

    /**
     * Publishes the same files under another revision: the remote decider has changed its policy, or the modes are arranged in another way, and
     * decisions of the previous one must not be cached any longer. To be called once nothing is decided by its previous responses.
     */
    public void remoteChanged() {
        synchronized (publishing) {
            publish(files);
        }
    }

    private PolicySet publish(FilePolicy next) {
        synchronized (publishing) {
            files = next;
            PolicySet now = loader.assemble(next);
            current = now;
            revisions.forEach(revision -> revision.decides(now));
            return now;
        }
    }

    /**
     * Reloads whenever the files change, until the watch is closed. A change between the first load and this call is not missed.
     *
     * @param settings how to watch
     */
    public FileWatch watch(FileWatch.Settings settings) {
        FileWatch watch = FileWatch.of("policy", loader.paths(), settings, changed -> reload());
        confirmed = watch::confirm;
        heldBack = watch::isHeldBack;
        watch.recheck();
        watch.start();
        return watch;
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("the policy", current.authorizer()));
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
