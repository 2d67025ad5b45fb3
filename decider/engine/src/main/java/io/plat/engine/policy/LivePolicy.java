package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.util.Objects;

/**
 * The policy that decides right now, behind one reference. A reload replaces it whole, or leaves it as it is where anything is wrong.
 *
 * <p>Whoever needs the revision of a decision takes {@link #current} once and uses both from there.
 */
public final class LivePolicy implements Authorizer {
    private final PolicyLoader loader;
    private final ReloadListener listener;
    private volatile PolicySet current;
    private boolean broken;

    private LivePolicy(PolicyLoader loader, ReloadListener listener, PolicySet first) {
        this.loader = loader;
        this.listener = Objects.requireNonNull(listener);
        this.current = first;
    }

    /**
     * Loads for the first time; there is nothing to fall back on yet.
     *
     * @throws ProblemsException with every problem of every file
     */
    public static LivePolicy start(PolicyLoader loader, ReloadListener listener) throws ProblemsException {
        return new LivePolicy(loader, listener, loader.load());
    }

    /** The present state. */
    public PolicySet current() {
        return current;
    }

    /** Reads the files again, and swaps the policy where they changed and all is well; the listener hears of either. */
    public synchronized void reload() {
        PolicySet before = current;
        try {
            PolicySet next = loader.loadIfChanged();
            if (next != null) {
                current = next;
                listener.swapped(before, next);
            } else if (broken) {
                listener.restored(before);
            }
            broken = false;
        } catch (ProblemsException e) {
            broken = true;
            listener.kept(before, e.problems());
        }
    }

    /**
     * Reloads whenever the files change, until the watch is closed. A change between the first load and this call is not missed.
     *
     * @param settings how to watch
     */
    public FileWatch watch(FileWatch.Settings settings) {
        FileWatch watch = FileWatch.of("policy", loader.paths(), settings, changed -> reload());
        watch.start();
        reload();
        return watch;
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return current.authorizer().authorize(attributes);
    }

    @Override
    public boolean decidesFromMemory() {
        return current.authorizer().decidesFromMemory();
    }
}
