package io.plat.apiserver.storage;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A duty that is being done, by the only process or by the one that was elected. */
final class DutyAlone implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DutyAlone.class);

    private final List<AutoCloseable> parts;

    DutyAlone(Duty duty) {
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
