package io.plat.http.lines;

import java.util.Objects;

/**
 * Names of a log in messages.
 *
 * @param log the log, such as {@code decision log}
 */
public record LogNames(String log) {
    public LogNames {
        Objects.requireNonNull(log);
    }

    String thread() {
        return log.replace(' ', '-');
    }
}
