package io.plat.apiserver.storage;

import io.plat.engine.lookup.Frozen;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Running processes on a store, each under a name that it announces. Thread-safe. */
public interface Presence extends AutoCloseable {
    /**
     * Announces this process until this is closed or the process ends. Must be called once; does not block.
     *
     * @param name announced name; several processes may share one
     */
    void announce(String name);

    /** Returns the announced names in order. A killed process remains for some seconds. */
    Set<String> present() throws StorageException;

    /** Withdraws this process. May be called more than once. */
    @Override
    void close();

    final class SingleProcess implements Presence {
        private final Set<String> names = new ConcurrentSkipListSet<>();

        @Override
        public void announce(String name) {
            names.add(name);
        }

        @Override
        public Set<String> present() {
            return Frozen.copyOf(names);
        }

        @Override
        public void close() {
            names.clear();
        }
    }
}
