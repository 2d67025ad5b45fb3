package io.plat.apiserver.storage;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work for exactly one of the processes that share a store. */
@FunctionalInterface
public interface LeaderTask {
    /**
     * Starts the work, based on the contents of the store; must not block for long. The parts are closed when the work moves to another
     * process.
     */
    List<AutoCloseable> begin();

    /** Started duty, of the only process or the elected one. */
    final class ActiveTask implements AutoCloseable {
        private static final Logger LOG = LoggerFactory.getLogger(ActiveTask.class);

        private final List<AutoCloseable> parts;

        /** Starts a duty. */
        public ActiveTask(LeaderTask task) {
            this.parts = List.copyOf(task.begin());
        }

        @Override
        public void close() {
            for (AutoCloseable part : parts.reversed()) {
                try {
                    part.close();
                    // Declared by the interface; a failing part must not prevent closing the others.
                } catch (Exception e) {
                    LOG.warn(
                            "a controller could not be stopped: controller={}",
                            part.getClass().getSimpleName(),
                            e);
                }
            }
        }
    }
}
