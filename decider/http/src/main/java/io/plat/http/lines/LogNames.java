package io.plat.http.lines;

/**
 * Names of a log in messages.
 *
 * @param log the log, such as {@code decision log}
 */
public record LogNames(String log) {
    String thread() {
        return log.replace(' ', '-');
    }
}
