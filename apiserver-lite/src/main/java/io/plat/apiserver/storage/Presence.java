package io.plat.apiserver.storage;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The running processes among those that work on a store, each under a name that it announces. For any number of threads. */
public interface Presence extends AutoCloseable {
    /**
     * Says that this process is there, from now on until this is closed or the process ends. To be called once; does not wait.
     *
     * @param name what it is known by; several processes may have one name
     */
    void announce(String name);

    /**
     * The names of those that are there, in order. One that was killed is among them for some seconds.
     *
     * @throws StorageException if the store can't be asked
     */
    Set<String> present() throws StorageException;

    /** This process is no longer there. May be called more than once. */
    @Override
    void close();

    /** The presence of the only process that works on a store. */
    final class Alone implements Presence {
        private final Set<String> names = new ConcurrentSkipListSet<>();

        @Override
        public void announce(String name) {
            names.add(name);
        }

        @Override
        public Set<String> present() {
            return Set.copyOf(names);
        }

        @Override
        public void close() {
            names.clear();
        }
    }
}
