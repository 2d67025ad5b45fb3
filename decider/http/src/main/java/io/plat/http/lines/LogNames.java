package io.plat.http.lines;

import java.util.Objects;

/**
 * Names of a log in messages.
 *
 * @param log the log, such as {@code decision log}
 * @param events its events, such as {@code decisions}
 */
public record LogNames(String log, String events) {
    public LogNames {
        Objects.requireNonNull(log);
        Objects.requireNonNull(events);
    }

    String thread() {
        return log.replace(' ', '-');
    }
}
