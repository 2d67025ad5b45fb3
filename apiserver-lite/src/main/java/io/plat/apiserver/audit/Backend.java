package io.plat.apiserver.audit;

import io.plat.http.lines.LineLog;

/**
 * Where events go.
 *
 * @param lines takes them
 * @param strict whether a request fails whose arrival it did not take
 */
record Backend(LineLog<AuditEvent> lines, boolean strict) {
    /** Hands an event over; returns false where its request has to fail for it. */
    boolean record(AuditEvent event, boolean waits) {
        boolean taken = waits ? lines.record(event) : lines.recordOrDrop(event);
        return taken || !strict;
    }
}
