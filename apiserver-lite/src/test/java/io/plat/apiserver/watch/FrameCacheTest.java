package io.plat.apiserver.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.operations.WatchEvent;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCacheTest {
    private static final ResourceType MAPS =
            ResourceCatalog.builtIn().find("", "v1", "configmaps").orElseThrow();

    private final FrameCache cache = new FrameCache(1 << 20);

    private static WatchEvent event(String namespace, String name, String data, boolean change) {
        String stored = "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"" + namespace
                + "\"},\"data\":{\"k\":\"" + data + "\"}}";
        var entry = new Entry(new Key("configmaps", namespace, name), stored.getBytes(UTF_8), 7);
        return new WatchEvent(WatchEvent.Type.ADDED, ServedObject.of(MAPS, entry), change);
    }

    private static Representation form(String accept) throws StatusException {
        return Negotiation.objects(new Preferences(accept, false, ""), MAPS);
    }

    /** An etcd transaction writes several objects at one revision: their frames must not be confused. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void objectsOfOneRevisionHaveTheirOwnFrames(boolean change) throws Exception {
        String large = "x".repeat(10_000);
        Representation form = form("application/json");
        for (String[] place : new String[][] {{"a", "m"}, {"b", "m"}, {"a", "n"}}) {
            String frame = new String(cache.frame(event(place[0], place[1], large, change), form), UTF_8);
            assertThat(frame).contains("\"namespace\":\"" + place[0] + "\"").contains("\"name\":\"" + place[1] + "\"");
        }
    }

    @Test
    void largeFramesAreShared() throws Exception {
        String large = "x".repeat(10_000);
        Representation form = form("application/json");
        byte[] first = cache.frame(event("a", "m", large, false), form);
        assertThat(cache.frame(event("a", "m", large, false), form)).isSameAs(first);
        assertThat(cache.frame(event("a", "m", large, true), form)).isSameAs(first);
        assertThat(cache.frame(event("a", "m", large, true), form("application/vnd.kubernetes.protobuf")))
                .isNotEqualTo(first);
    }
}
