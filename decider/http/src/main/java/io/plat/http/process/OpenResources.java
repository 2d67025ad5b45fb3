package io.plat.http.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opened parts of a program, to be closed in reverse order. Not thread-safe. */
public final class OpenResources {
    private static final Logger LOG = LoggerFactory.getLogger(OpenResources.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds and returns a part. */
    public <T extends AutoCloseable> T with(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts; failures are logged. */
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception failed) {
                // A failure must not prevent closing the others.
                LOG.warn(
                        "a part of the server could not be closed: part={}",
                        part.getClass().getSimpleName(),
                        failed);
            }
        }
    }
}
