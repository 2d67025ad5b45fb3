package io.plat.http.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opened parts of a program, to be closed in reverse order. Not thread-safe. */
public final class OpenResources {
    private static final Logger LOG = LoggerFactory.getLogger(OpenResources.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part, and gives it back. */
    public <T extends AutoCloseable> T with(T part) {
        parts.push(part);
        return part;
    }

    /** Closes every part; one that fails is logged and does not prevent closing the others. */
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
                // Declared by the interface; a failing part must not prevent closing the others.
            } catch (Exception failed) {
                LOG.warn(
                        "a part of the server could not be closed: part={}",
                        part.getClass().getSimpleName(),
                        failed);
            }
        }
    }
}
