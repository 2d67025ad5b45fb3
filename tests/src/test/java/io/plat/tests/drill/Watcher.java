package io.plat.tests.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.drill.Seen.Told;
import io.plat.tests.drill.Seen.Watched;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches, and goes on behind the last change whenever a watch ends: at the same server or at another one. */
final class Watcher implements Runnable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REST = 50;
    private static final int MINUTES = 3600;

    private final Round round;
    private final String name;
    private final int first;
    private final boolean moves;
    private final long from;
    private final List<Told> told = new ArrayList<>();
    private long version;

    /**
     * A watcher.
     *
     * @param server where it begins
     * @param moves whether it goes to the other server after each second
     * @param from behind which version it begins
     */
    Watcher(Round round, int server, boolean moves, long from) {
        this.round = round;
        this.name = moves ? "the watcher that moves" : "the watcher of server " + server;
        this.first = server;
        this.moves = moves;
        this.from = from;
        this.version = from;
    }

    @Override
    public void run() {
        int server = first;
        while (!round.watchedEnough(REST)) {
            String path =
                    Maps.PATH + "?watch=1&resourceVersion=" + reached() + "&timeoutSeconds=" + (moves ? 1 : MINUTES);
            try {
                int code = round.door().watch(server, path, this::line);
                if (code == 410) {
                    note(new Told("ERROR", "410 at server " + server, reached(), 0));
                }
            } catch (IOException e) {
                // Goes on below.
                round.watchedEnough(REST);
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
        note(
                type.equals("ERROR")
                        ? new Told(type, object.toString(), reached(), 0)
                        : new Told(type, Maps.name(object), Long.parseLong(Maps.version(object)), Maps.state(object)));
    }

    /** Null for a line that a connection which broke off has torn; if it was not torn, its change will be missing. */
    private static @Nullable JsonNode event(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException torn) {
            return null;
        }
    }

    private synchronized void note(Told one) {
        told.add(one);
        version = one.version();
    }

    /** The last version that it was told of. */
    synchronized long reached() {
        return version;
    }

    synchronized Watched watched() {
        return new Watched(name, from, told);
    }
}
