package io.plat.http.lines;

import java.io.ByteArrayOutputStream;

/**
 * How an event becomes a line. Lines are made by one thread, sizes asked by any.
 *
 * @param <T> the events
 */
public interface LineForm<T> {
    /** Appends the line of an event, with its end. May throw what a defect throws: it costs this line and no other. */
    void write(T event, ByteArrayOutputStream lines);

    /** About how many bytes an event keeps in memory while it waits. */
    int bytes(T event);
}
