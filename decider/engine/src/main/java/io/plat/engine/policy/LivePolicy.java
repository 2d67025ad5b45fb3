package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Composed;
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
 * The policy that decides right now, behind one reference. A reload replaces it whole, or leaves it as it is where anything is wrong;
 * a change of the role objects that are followed replaces it by one with the same files.
 *
 * <p>Whoever needs the revision of a decision takes {@link #current} once and uses both from there.
 */
public final class LivePolicy implements Authorizer, DelegatingExplainer, Composed {
    private final PolicyLoader loader;
    private final ReloadListener listener;
    private final List<RevisionListener> revisions = new CopyOnWriteArrayList<>();
    /** Held while a revision is made and told; never while files are read, as a revocation must not wait for them. */
    private final Object publishing = new Object();

    private FilePolicy files;
    private volatile PolicySet current;
    private volatile boolean broken;
    /** Whether the files are still as they were before they were read. */
    private volatile BooleanSupplier confirmed = () -> true;

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

    /** Whether the files as they are now can't be used, so that an earlier policy decides. */
    public boolean isBroken() {
        return broken;
    }

    /**
     * Tells of every revision after this call, until it is closed. To miss none, first listen and then look at {@link #current}.
     */
    public Listening listen(RevisionListener revisionListener) {
        revisions.add(Objects.requireNonNull(revisionListener));
        return () -> revisions.remove(revisionListener);
    }

    /** A listener that is told of revisions; closed, it hears of no further one. */
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
                // Somebody writes a file while it is read: it is read again when that is over.
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
     * The same policy goes on under another revision: a further decider that is asked has changed its own, and nobody shall keep what was
     * decided before. To be called once nothing is decided by what it had answered until then.
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
