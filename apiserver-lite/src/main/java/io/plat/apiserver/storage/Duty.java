package io.plat.apiserver.storage;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that one of the processes does which share a store. */
@FunctionalInterface
public interface Duty {
    /** Begins it, from what the store holds; must not wait for long. Each part is closed when the work goes to another process. */
    List<AutoCloseable> begin();

    /** A duty that is being done, by the only process or by the one that was elected. */
    final class Running implements AutoCloseable {
        private static final Logger LOG = LoggerFactory.getLogger(Running.class);

        private final List<AutoCloseable> parts;

        /** Begins a duty. */
        public Running(Duty duty) {
            this.parts = List.copyOf(duty.begin());
        }

        @Override
        public void close() {
            for (AutoCloseable part : parts.reversed()) {
                try {
                    part.close();
                    // Declared by the interface; what one part does must not keep the others going.
                } catch (Exception failed) {
                    LOG.warn("ending {} failed", part.getClass().getSimpleName(), failed);
                }
            }
        }
    }
}
