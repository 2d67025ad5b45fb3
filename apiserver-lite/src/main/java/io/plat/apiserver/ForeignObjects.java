package io.plat.apiserver;

import io.micrometer.core.instrument.Gauge;
import io.plat.apiserver.custom.CustomTypes;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.Key;
import io.plat.http.metrics.ServerMetrics;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports stored objects that are not served: those of unknown types, and definitions in the group of built-in types. */
record ForeignObjects(ForeignEntries objects, CustomTypes definitions) {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignObjects.class);
    private static final int MAX_NAMED = 10;

    /** Logs them, and publishes their number as {@code apiserver_storage_foreign_objects}. */
    void report(ServerMetrics metrics) {
        List<Key> keys = objects.keys();
        if (!keys.isEmpty()) {
            LOG.warn(
                    "stored objects of unknown versions or kinds are not served: count={} keys={}; "
                            + "\"apiserver-lite check --remove-foreign\" removes them",
                    keys.size(),
                    keys.stream().limit(MAX_NAMED).map(ForeignObjects::shown).toList());
        }
        gauge("object", metrics, () -> objects.keys().size());
        gauge("definition", metrics, () -> definitions.now().collisions());
    }

    private static void gauge(String kind, ServerMetrics metrics, Supplier<Number> count) {
        Gauge.builder("apiserver.storage.foreign.objects", count)
                .description("Stored objects and definitions that no served type matches.")
                .tag("kind", kind)
                .strongReference(true)
                .register(metrics.registry());
    }

    static String shown(Key key) {
        return key.path().replaceAll("[^ -~]", "?");
    }

    /** Returns a remark with their number; empty if there are none. */
    String summary() {
        int count = objects.keys().size();
        long defining = definitions.now().collisions();
        String unserved = count == 0 && defining == 0
                ? ""
                : count + " objects and " + defining + " definitions are stored and not served";
        List<String> refusing = definitions.now().uncompilable();
        return refusing.isEmpty()
                ? unserved
                : unserved + (unserved.isEmpty() ? "" : "; ") + "rules of " + refusing.size()
                        + " definitions do not compile, so writes are refused: "
                        + String.join(", ", refusing.subList(0, Math.min(MAX_NAMED, refusing.size())));
    }
}
