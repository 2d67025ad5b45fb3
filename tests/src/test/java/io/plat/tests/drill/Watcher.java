package io.plat.tests.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.drill.Observations.WatchedEvent;
import io.plat.tests.drill.Observations.WatcherLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches, and resumes after the last event whenever a watch ends: at the same server or at another one. */
final class Watcher implements Runnable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAUSE_MILLIS = 50;
    private static final int HOUR_SECONDS = 3600;

    private final Round round;
    private final String name;
    private final int first;
    private final boolean moves;
    private final long from;
    private final List<WatchedEvent> events = new ArrayList<>();
    private long version;

    /**
     * Creates a watcher.
     *
     * @param server first server
     * @param moves whether it switches servers every second
     * @param from version after which it starts
     */
    Watcher(Round round, int server, boolean moves, long from) {
        this.round = round;
        this.name = moves ? "the roaming watcher" : "the watcher of server " + server;
        this.first = server;
        this.moves = moves;
        this.from = from;
        this.version = from;
    }

    @Override
    public void run() {
        int server = first;
        while (!round.isWatchOver(PAUSE_MILLIS)) {
            String path = RegisterObjects.PATH + "?watch=1&resourceVersion=" + reached() + "&timeoutSeconds="
                    + (moves ? 1 : HOUR_SECONDS);
            try {
                int code = round.access().watch(server, path, this::line);
                if (code == 410) {
                    append(new WatchedEvent("ERROR", "410 at server " + server, reached(), 0));
                }
            } catch (IOException e) {
                // Retried below.
                round.isWatchOver(PAUSE_MILLIS);
            }
            server = moves ? (server + 1) % DrilledSystem.SERVERS : server;
        }
    }

    private void line(String line) {
        JsonNode event = event(line);
        if (event == null) {
            return;
        }
        JsonNode object = event.path("object");
        String type = event.path("type").asText();
        append(
                type.equals("ERROR")
                        ? new WatchedEvent(type, object.toString(), reached(), 0)
                        : new WatchedEvent(
                                type,
                                RegisterObjects.name(object),
                                Long.parseLong(RegisterObjects.version(object)),
                                RegisterObjects.state(object)));
    }

    /** Null for a line truncated by a closed connection; if it was complete, its event will be missing. */
    private static @Nullable JsonNode event(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException torn) {
            return null;
        }
    }

    private synchronized void append(WatchedEvent one) {
        events.add(one);
        version = one.version();
    }

    /** Returns the version of the last event. */
    synchronized long reached() {
        return version;
    }

    synchronized WatcherLog log() {
        return new WatcherLog(name, from, events);
    }
}
