package io.plat.http.lines;

import java.io.ByteArrayOutputStream;

/**
 * Format of lines. Lines are formatted by one thread, sizes read by any.
 *
 * @param <T> the events
 */
public interface LineForm<T> {
    /** Appends the line of an event, with its end. An exception loses only this line. */
    void write(T event, ByteArrayOutputStream lines);

    /** Returns the approximate memory of a queued event. */
    int bytes(T event);
}
