package io.plat.apiserver.storage;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Of a store that one process works on. */
final class PresenceAlone implements Presence {
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
