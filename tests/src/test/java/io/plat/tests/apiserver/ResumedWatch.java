package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.OpenWatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * State of a client that lists once and then only watches, across failures of connections and servers: it resumes from the last received
 * version. Each event must be consistent with the previous ones.
 */
final class ResumedWatch {
    private final Map<String, Long> current = new HashMap<>();
    private final Set<String> observed = new HashSet<>();
    private long version;

    /** Starts with the contents of a list. */
    ResumedWatch(JsonNode list) {
        current.putAll(versions(list));
        version = ConfigMaps.version(list);
    }

    /** Returns the version of each object of a list, which must be unique. */
    static Map<String, Long> versions(JsonNode list) {
        Map<String, Long> versions = new HashMap<>();
        for (JsonNode item : list.path("items")) {
            String name = item.path("metadata").path("name").asText();
            assertThat(versions.put(name, ConfigMaps.version(item)))
                    .as("%s is listed once", name)
                    .isNull();
        }
        return versions;
    }

    /** Returns the version to resume from. */
    long version() {
        return version;
    }

    void apply(List<JsonNode> events) {
        events.forEach(this::apply);
    }

    private void apply(JsonNode event) {
        String type = event.path("type").asText();
        JsonNode object = event.path("object");
        String name = object.path("metadata").path("name").asText();
        long next = ConfigMaps.version(object);
        assertThat(next).as("versions increase: %s", event).isGreaterThan(version);
        version = next;
        boolean isDeleted = type.equals("DELETED");
        boolean known = (isDeleted ? current.remove(name) : current.put(name, next)) != null;
        assertThat(known).as("%s follows from earlier events", event).isEqualTo(!type.equals("ADDED"));
        observed.add(isDeleted ? type + " " + name : OpenWatch.inShort(event));
    }

    /** Returns the known objects. */
    Map<String, Long> current() {
        return current;
    }

    /** Returns and clears the received events: {@code ADDED name@version}, and {@code DELETED name}. */
    Set<String> takeEvents() {
        Set<String> events = Set.copyOf(observed);
        observed.clear();
        return events;
    }
}
